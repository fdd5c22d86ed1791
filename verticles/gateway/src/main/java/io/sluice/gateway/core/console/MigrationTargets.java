package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The holds that a migration away from a VM's node would need, on the nodes that lack least below their watermarks. */
final class MigrationTargets {
    /** The most nodes whose ledgers are asked. */
    private static final int MOST = 3;

    /** No hold is made, so it never runs out. */
    private static final Duration TTL = Duration.ofMinutes(1);

    private MigrationTargets() {}

    static List<GrantQuery> of(VmStatus vm, Collection<NodeLedgerView> nodes) {
        return vm.observed()
                .map(observed -> of(observed, room(vm), vm.node(), nodes))
                .orElse(List.of());
    }

    /** What is reserved for it, as far as that is reported. */
    private static Resources room(VmStatus vm) {
        return vm.status().flatMap(RunnerStatus::permit).orElse(vm.size()).max(vm.size());
    }

    private static List<GrantQuery> of(VmObserved vm, Resources room, String from, Collection<NodeLedgerView> nodes) {
        var charge = vm.overcommit().charge(room);
        return nodes.stream()
                .filter(node -> node.complete()
                        && !node.node().equals(from)
                        && !node.total().hasZero())
                .sorted(Comparator.<NodeLedgerView>comparingDouble(node -> shortage(node, charge))
                        .thenComparing(NodeLedgerView::node))
                .limit(MOST)
                .<GrantQuery>map(node -> new GrantQuery.OfHold(hold(vm, room, node.node()), true))
                .toList();
    }

    private static double shortage(NodeLedgerView node, Resources charge) {
        var above = node.reserved().plus(charge).minus(node.watermark());
        return (double) above.milliCpu() / node.total().milliCpu()
                + (double) above.memoryBytes() / node.total().memoryBytes();
    }

    private static HoldRoom hold(VmObserved vm, Resources room, String node) {
        var id = vm.vm();
        return new HoldRoom(
                node,
                HoldRoom.forMigration(id.namespace(), id.name()),
                id.namespace(),
                id.name(),
                id.name(),
                room,
                vm.overcommit(),
                TTL,
                AttemptId.NONE);
    }
}
