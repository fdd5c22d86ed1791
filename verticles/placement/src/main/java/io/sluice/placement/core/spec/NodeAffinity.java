package io.sluice.placement.core.spec;

import java.util.List;
import java.util.Optional;

/**
 * Which nodes a pod or volume may use, and which a pod prefers.
 *
 * @param selector what each node's labels must meet
 * @param required terms of which a node must meet one; empty if there is no such field
 */
public record NodeAffinity(List<Requirement> selector, Optional<List<Term>> required, List<Preferred> preferred) {
    public static final NodeAffinity ANY = new NodeAffinity(List.of(), Optional.empty(), List.of());

    public NodeAffinity {
        selector = List.copyOf(selector);
        required = required.map(List::copyOf);
        preferred = List.copyOf(preferred);
    }

    /**
     * A term. A node meets it if it meets all of its requirements; a term without any is met by none.
     *
     * @param fields on fields of the node; {@code metadata.name} is the only one that nodes have
     */
    public record Term(List<Requirement> labels, List<Requirement> fields) {
        public Term {
            labels = List.copyOf(labels);
            fields = List.copyOf(fields);
        }

        public boolean isEmpty() {
            return labels.isEmpty() && fields.isEmpty();
        }
    }

    /**
     * A preference.
     *
     * @param weight 1 to 100
     */
    public record Preferred(int weight, Term term) {}

    /** Whether every node may be used. */
    public boolean any() {
        return selector.isEmpty() && required.isEmpty();
    }
}
