package io.sluice.simulation;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.Member;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.TrustLastPermit;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The one ledger: the real core over a variable; every command is followed by the ledger's own invariants. */
final class LedgerModel {
    static final List<String> NODES = List.of("n1", "n2");
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(10);

    private final VirtualTime time;
    private final Resources allocatable;
    private final NodeLedger ledger =
            new NodeLedger(new LedgerRules(PERMIT_VALID_FOR, 0.9, Resources.NONE, TrustLastPermit.RECOVERY, true));
    private final Map<String, NodeState> books = new HashMap<>();
    private long listings;

    LedgerModel(VirtualTime time, Resources allocatable) {
        this.time = time;
        this.allocatable = allocatable;
    }

    <A> A apply(String node, LedgerCommand<A> command) {
        var outcome = ledger.apply(of(node), command, time.now());
        for (var notice : outcome.notices()) {
            if (notice instanceof LedgerNotice.InvariantsBroken(var after, var breaks)) {
                throw new AssertionError("the ledger's own invariants broke after " + after + ": " + breaks);
            }
        }
        books.put(node, outcome.state());
        return outcome.reply();
    }

    Optional<Resources> mostReservedFor(String vm) {
        return books.values().stream()
                .flatMap(state -> state.members().all().stream())
                .filter(member -> member.who().vmName().equals(vm))
                .map(member -> member.amounts().reserved())
                .reduce(Resources::max);
    }

    private NodeState of(String node) {
        return books.getOrDefault(node, NodeState.blank(node));
    }

    /** One consistent listing of all that is on the node now. */
    void load(String node, Collection<ApiModel> vms, Collection<PodSeen> pods) {
        listings = vms.stream().mapToLong(ApiModel::version).sum() + listings + 1;
        var there = pods.stream().filter(pod -> pod.node().equals(node)).toList();
        var seen = vms.stream()
                .map(ApiModel::seen)
                .filter(vm -> vm.node().equals(node))
                .toList();
        apply(node, new LedgerCommand.Load(new LoadNode(new NodeSeen(node, 1, allocatable), listings, there, seen)));
    }

    /** All memory of the node is gone. */
    void forget(String node) {
        books.put(node, NodeState.blank(node));
    }

    boolean complete() {
        return NODES.stream().allMatch(node -> of(node).listing().complete());
    }

    Optional<Member> member(String node, String pod) {
        return of(node).members().find(pod);
    }
}
