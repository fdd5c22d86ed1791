package io.sluice.placement.core.elastic;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The room of nodes by their ledgers. All members of a job are alike, so each node takes as many as it can. */
public final class LedgerRoom implements ElasticRoom {
    private final Map<String, NodeRoom> nodes;

    /** What a node can still give. */
    public record NodeRoom(String node, Resources free, FixedAmounts fixed) {
        public NodeRoom {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(free, "free");
            Objects.requireNonNull(fixed, "fixed");
        }

        private NodeRoom without(MemberRequest member, int members) {
            return new NodeRoom(
                    node, free.minus(member.amounts().times(members)), fixed.minus(member.fixedTimes(members)));
        }

        private NodeRoom with(MemberRequest member) {
            return new NodeRoom(node, free.plus(member.amounts()), fixed.plus(member.fixed()));
        }
    }

    public LedgerRoom(Collection<NodeRoom> nodes) {
        this.nodes = new TreeMap<>();
        nodes.forEach(node -> this.nodes.put(node.node(), node));
    }

    private LedgerRoom(Map<String, NodeRoom> nodes) {
        this.nodes = nodes;
    }

    @Override
    public int fits(ElasticJob job, int most) {
        int found = 0;
        for (var node : nodes.values()) {
            if (found >= most) {
                return most;
            }
            found += times(job, node, most - found);
        }
        return found;
    }

    private static int times(ElasticJob job, NodeRoom node, int most) {
        return job.member().times(node.free(), node.fixed(), most);
    }

    @Override
    public LedgerRoom taking(ElasticJob job, int members) {
        var after = new TreeMap<>(nodes);
        taken(job, members)
                .forEach((node, count) ->
                        after.computeIfPresent(node, (name, room) -> room.without(job.member(), count)));
        return new LedgerRoom(after);
    }

    /**
     * On which nodes so many members of a job would be; those with the least room come first, so that large ones stay
     * free.
     */
    public Map<String, Integer> taken(ElasticJob job, int members) {
        var taken = new TreeMap<String, Integer>();
        int left = members;
        for (var node : byRoom(job, members)) {
            int count = times(job, node, left);
            if (count > 0) {
                taken.put(node.node(), count);
            }
            left -= count;
        }
        return taken;
    }

    private List<NodeRoom> byRoom(ElasticJob job, int members) {
        return nodes.values().stream()
                .filter(node -> times(job, node, 1) > 0)
                .sorted(Comparator.<NodeRoom>comparingInt(node -> times(job, node, members))
                        .thenComparing(NodeRoom::node))
                .toList();
    }

    @Override
    public ElasticRoom releasing(ElasticJob job, int members) {
        var after = new TreeMap<>(nodes);
        job.nodes().stream()
                .skip(job.leaving())
                .limit(members)
                .forEach(node -> after.computeIfPresent(node, (name, room) -> room.with(job.member())));
        return new LedgerRoom(after);
    }

    /** The same once the members of a job have left that are to. */
    public LedgerRoom left(ElasticJob job) {
        var after = new TreeMap<>(nodes);
        job.nodes().stream()
                .limit(job.leaving())
                .forEach(node -> after.computeIfPresent(node, (name, room) -> room.with(job.member())));
        return new LedgerRoom(after);
    }

    /** What each node can still give, by name. */
    public Collection<NodeRoom> nodes() {
        return List.copyOf(nodes.values());
    }
}
