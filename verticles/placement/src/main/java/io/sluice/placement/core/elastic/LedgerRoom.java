package io.sluice.placement.core.elastic;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The room of nodes by their ledgers, as a plan sees it: nothing changes it, and each change is another room. All
 * members of a job are alike, so each node takes as many as it can.
 */
public final class LedgerRoom {
    private final Map<String, NodeRoom> nodes;

    /** What a node can still give. */
    public record NodeRoom(String node, Resources free, FixedAmounts fixed) {
        public NodeRoom {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(free, "free");
            Objects.requireNonNull(fixed, "fixed");
        }

        private NodeRoom without(ElasticMemberRequest member, int members) {
            return new NodeRoom(
                    node, free.minus(member.amounts().times(members)), fixed.minus(member.fixedTimes(members)));
        }

        private NodeRoom with(Resources amounts, FixedAmounts others) {
            return new NodeRoom(node, free.plus(amounts), fixed.plus(others));
        }
    }

    public LedgerRoom(Collection<NodeRoom> nodes) {
        this.nodes = new TreeMap<>();
        nodes.forEach(node -> this.nodes.put(node.node(), node));
    }

    private LedgerRoom(Map<String, NodeRoom> nodes) {
        this.nodes = nodes;
    }

    /** How many more members of a job fit together, at most so many. */
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

    /** The same after that many members of a job took room; as many as fit. */
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

    /** The same after that many members of a job left, beside those that leave anyway. */
    public LedgerRoom releasing(ElasticJob job, int members) {
        return without(job, job.members().stream().skip(job.leaving()).limit(members));
    }

    /** The same once the members of a job have left, or become smaller, that are to. */
    public LedgerRoom left(ElasticJob job) {
        var after = new TreeMap<>(without(job, job.members().stream().limit(job.leaving())).nodes);
        job.members().stream()
                .skip(job.leaving())
                .forEach(member -> free(after, member, member.amounts().minus(member.desired())));
        return new LedgerRoom(after);
    }

    /** The same if on each node as many members of a job left as are to leave at all. */
    LedgerRoom mayLeave(ElasticJob job) {
        var byNode = job.members().stream().collect(Collectors.groupingBy(ElasticMember::node));
        return without(job, byNode.values().stream().flatMap(on -> on.stream().limit(job.leaving())));
    }

    /** How many members fit on a node, at most so many. */
    int fits(ElasticJob job, String node, int most) {
        return nodes.containsKey(node) ? times(job, nodes.get(node), most) : 0;
    }

    private LedgerRoom without(ElasticJob job, Stream<ElasticMember> members) {
        var after = new TreeMap<>(nodes);
        members.forEach(member -> after.computeIfPresent(
                member.node(),
                (name, room) -> room.with(member.amounts(), job.member().fixed())));
        return new LedgerRoom(after);
    }

    /** The same after some members of a job became smaller. */
    public LedgerRoom shrinking(Collection<ElasticMember> members, Resources size) {
        var after = new TreeMap<>(nodes);
        members.forEach(member -> free(after, member, member.amounts().minus(size)));
        return new LedgerRoom(after);
    }

    private static void free(Map<String, NodeRoom> nodes, ElasticMember member, Resources amounts) {
        nodes.computeIfPresent(member.node(), (name, room) -> room.with(amounts, FixedAmounts.NONE));
    }

    /** The same after a member became larger; empty where its node has no room for that. */
    public Optional<LedgerRoom> enlarging(ElasticMember member, Resources size) {
        var more = size.minus(member.amounts());
        var room = nodes.get(member.node());
        if (room == null || more.exceeds(room.free())) {
            return Optional.empty();
        }
        var after = new TreeMap<>(nodes);
        after.put(member.node(), new NodeRoom(room.node(), room.free().minus(more), room.fixed()));
        return Optional.of(new LedgerRoom(after));
    }

    /** What each node can still give, by name. */
    public Collection<NodeRoom> nodes() {
        return List.copyOf(nodes.values());
    }
}
