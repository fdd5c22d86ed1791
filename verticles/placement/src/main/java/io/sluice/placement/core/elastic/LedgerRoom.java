package io.sluice.placement.core.elastic;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.gangs.WholeGang;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.NodeSpec;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The room of nodes by their ledgers, as a plan changes it. Whether members fit is answered as for a gang. */
public final class LedgerRoom {
    private static final SchedulingRules RULES = SchedulingRules.withLedger();

    /** The fullest first, so that large room stays free. */
    private static final RoomScore FULLEST = new ReservedShare(0, 1, 1);

    private final Map<String, NodeSnapshot> nodes = new TreeMap<>();
    private final ClusterTable table = new ClusterTable();

    private LedgerRoom(Collection<NodeSnapshot> nodes) {
        nodes.forEach(this::put);
    }

    /** The room of the nodes that are ready. */
    public static LedgerRoom of(Collection<NodeLedgerView> ledgers) {
        return new LedgerRoom(ledgers.stream()
                .filter(NodeLedgerView::complete)
                .filter(node -> node.readiness() == NodeReadiness.READY)
                .map(LedgerRoom::bare)
                .toList());
    }

    /** What is kept on it is planned anew, and its GPUs count by the names of what is requested. */
    private static NodeSnapshot bare(NodeLedgerView node) {
        return new NodeSnapshot(
                node.node(),
                true,
                node.readiness(),
                node.total(),
                node.watermark(),
                node.reserved(),
                NodeUse.NONE,
                List.of(),
                node.fixedTotal(),
                node.fixedReserved());
    }

    /** The same, which changes by itself. */
    public LedgerRoom copy() {
        return new LedgerRoom(nodes.values());
    }

    private void put(NodeSnapshot node) {
        var free = node.fixedTotal().minus(node.fixedReserved());
        nodes.put(node.node(), node);
        table.observed(new NodeSpec(node.node(), Map.of(), List.of(), false, free.byKind()));
        table.observed(node);
    }

    private void free(String node, Resources amounts, FixedAmounts fixed) {
        Optional.ofNullable(nodes.get(node))
                .ifPresent(room -> put(room.reserving(
                        room.reserved().minus(amounts), room.fixedReserved().minus(fixed))));
    }

    private WholeGang.Plan plan(ElasticJob job, int members) {
        return WholeGang.plan(job.member().pods(job.namespace(), members), 1, table, RULES, FULLEST);
    }

    /** How many more members of a job fit together, at most so many. */
    public int fits(ElasticJob job, int most) {
        return plan(job, most).fitting();
    }

    /** How many would fit after some changes. */
    int fitsAfter(Consumer<LedgerRoom> changes, ElasticJob job, int most) {
        var before = Map.copyOf(nodes);
        changes.accept(this);
        int fitting = fits(job, most);
        before.values().stream().filter(node -> nodes.get(node.node()) != node).forEach(this::put);
        return fitting;
    }

    /** On which nodes so many members of a job would be, as many as fit. */
    Map<String, Integer> taken(ElasticJob job, int members) {
        return plan(job, members).choices().stream()
                .collect(Collectors.groupingBy(WholeGang.Choice::node, TreeMap::new, Collectors.summingInt(one -> 1)));
    }

    /** That many members of a job take room; as many as fit. */
    void take(ElasticJob job, int members) {
        var member = job.member();
        plan(job, members).choices().forEach(choice -> {
            var room = nodes.get(choice.node());
            put(room.reserving(
                    room.reserved().plus(member.amounts()), room.fixedReserved().plus(member.fixed())));
        });
    }

    /** That many members of a job leave, beside those that leave anyway. */
    void release(ElasticJob job, int members) {
        release(job, job.members().stream().skip(job.leaving()).limit(members));
    }

    /** The members of a job leave, or become smaller, that are to. */
    void leave(ElasticJob job) {
        release(job, job.members().stream().limit(job.leaving()));
        job.members().stream()
                .skip(job.leaving())
                .forEach(one -> free(one.node(), one.amounts().minus(one.desired()), FixedAmounts.NONE));
    }

    private void release(ElasticJob job, Stream<ElasticMember> members) {
        members.forEach(one -> free(one.node(), one.amounts(), job.member().fixed()));
    }

    /** For how many members of a job each node has room if as many of another one leave it as are to leave at all. */
    Map<String, Integer> whereMayLeave(ElasticJob giver, ElasticJob job, int most) {
        var found = new TreeMap<String, Integer>();
        giver.members().stream()
                .collect(Collectors.groupingBy(ElasticMember::node))
                .forEach((node, on) -> Optional.ofNullable(nodes.get(node)).ifPresent(room -> {
                    var alone = new LedgerRoom(List.of(room));
                    alone.release(giver, on.stream().limit(giver.leaving()));
                    found.put(node, alone.fits(job, most));
                }));
        return found;
    }

    /** A member becomes smaller. */
    void shrink(ElasticMember member, Resources size) {
        free(member.node(), member.amounts().minus(size), FixedAmounts.NONE);
    }

    /** A member becomes larger; false where its node has no room for that. */
    boolean enlarge(ElasticMember member, Resources size) {
        var more = size.minus(member.amounts());
        var room = nodes.get(member.node());
        if (room == null || room.reserved().plus(more).exceeds(room.total())) {
            return false;
        }
        put(room.reserving(room.reserved().plus(more), room.fixedReserved()));
        return true;
    }
}
