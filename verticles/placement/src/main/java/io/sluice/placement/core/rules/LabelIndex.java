package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.NodeAffinity;
import io.sluice.placement.core.spec.Requirement;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Which nodes have which labels. */
final class LabelIndex {
    private static final BitSet NO_NODES = new BitSet();

    private final Map<String, Values> keys = new HashMap<>();
    private final NodeIndex names;

    LabelIndex(NodeIndex names) {
        this.names = names;
    }

    /** The nodes with one label, by its value. */
    private static final class Values {
        private final BitSet any = new BitSet();
        private final Map<String, BitSet> nodes = new HashMap<>();
        private Domains domains = Domains.NONE;
    }

    /**
     * The domains into which a label divides the nodes.
     *
     * @param of the domain's number by the node's; {@link NodeIndex#NONE} for a node without the label
     * @param count of domains
     */
    record Domains(int[] of, int count) {
        private static final Domains NONE = new Domains(new int[0], 0);

        /** The domain of a node. */
        int at(int node) {
            return node < of.length ? of[node] : NodeIndex.NONE;
        }
    }

    void change(int node, Map<String, String> before, Map<String, String> after) {
        before.forEach((key, value) -> {
            if (!value.equals(after.get(key))) {
                remove(node, key, value);
            }
        });
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                var values = keys.computeIfAbsent(key, added -> new Values());
                values.any.set(node);
                values.nodes.computeIfAbsent(value, added -> new BitSet()).set(node);
                values.domains = Domains.NONE;
            }
        });
    }

    private void remove(int node, String key, String value) {
        var values = keys.get(key);
        values.any.clear(node);
        values.domains = Domains.NONE;
        var nodes = values.nodes.get(value);
        nodes.clear(node);
        if (nodes.isEmpty()) {
            values.nodes.remove(value);
        }
        if (values.any.isEmpty()) {
            keys.remove(key);
        }
    }

    /** The nodes with that label; not to be changed. */
    BitSet with(String key) {
        var values = keys.get(key);
        return values == null ? NO_NODES : values.any;
    }

    /** The nodes with one of those values of a label; a copy. */
    BitSet with(String key, Set<String> values) {
        var known = keys.get(key);
        var with = new BitSet();
        if (known != null) {
            values.forEach(value -> with.or(known.nodes.getOrDefault(value, NO_NODES)));
        }
        return with;
    }

    Domains domains(String key) {
        var values = keys.get(key);
        if (values == null) {
            return Domains.NONE;
        }
        if (values.domains.count() == 0) {
            values.domains = divide(values);
        }
        return values.domains;
    }

    private static Domains divide(Values values) {
        var of = new int[values.any.length()];
        Arrays.fill(of, NodeIndex.NONE);
        int count = 0;
        for (var nodes : values.nodes.values()) {
            for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
                of[node] = count;
            }
            count++;
        }
        return new Domains(of, count);
    }

    /** Removes the nodes that are not allowed. */
    void keep(NodeAffinity affinity, BitSet nodes) {
        affinity.selector().forEach(requirement -> keep(requirement, nodes));
        affinity.required().ifPresent(terms -> {
            var allowed = new BitSet();
            for (var term : terms) {
                allowed.or(meeting(term, nodes));
            }
            nodes.and(allowed);
        });
    }

    /** Those of the nodes that meet a term. */
    BitSet meeting(NodeAffinity.Term term, BitSet nodes) {
        var met = term.isEmpty() ? new BitSet() : (BitSet) nodes.clone();
        term.labels().forEach(requirement -> keep(requirement, met));
        term.fields().forEach(requirement -> keepNamed(requirement, met));
        return met;
    }

    private void keep(Requirement requirement, BitSet nodes) {
        var values = keys.get(requirement.key());
        switch (requirement.operator()) {
            case IN, GT, LT -> nodes.and(values == null ? NO_NODES : matching(requirement, values));
            case EXISTS -> nodes.and(with(requirement.key()));
            case DOES_NOT_EXIST -> nodes.andNot(with(requirement.key()));
            case NOT_IN -> {
                if (values != null) {
                    requirement.values().forEach(value -> nodes.andNot(values.nodes.getOrDefault(value, NO_NODES)));
                }
            }
        }
    }

    private static BitSet matching(Requirement requirement, Values values) {
        var matching = new BitSet();
        if (requirement.operator() == Requirement.Operator.IN) {
            requirement.values().forEach(value -> matching.or(values.nodes.getOrDefault(value, NO_NODES)));
        } else {
            values.nodes.forEach((value, nodes) -> {
                if (requirement.matches(value)) {
                    matching.or(nodes);
                }
            });
        }
        return matching;
    }

    private void keepNamed(Requirement requirement, BitSet nodes) {
        var named = new BitSet();
        requirement.values().forEach(name -> {
            int node = names.of(name);
            if (node != NodeIndex.NONE) {
                named.set(node);
            }
        });
        if (requirement.operator() == Requirement.Operator.IN) {
            nodes.and(named);
        } else {
            nodes.andNot(named);
        }
    }
}
