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
import java.util.List;
import java.util.Optional;

/** The one ledger: the real core over a variable; every command is followed by the ledger's own invariants. */
final class LedgerModel {
    static final String NODE = "n1";
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(10);

    private final VirtualTime time;
    private final Resources allocatable;
    private final NodeLedger ledger =
            new NodeLedger(new LedgerRules(PERMIT_VALID_FOR, 0.9, Resources.NONE, TrustLastPermit.RECOVERY, true));
    private NodeState books = NodeState.blank(NODE);
    private long listings;

    LedgerModel(VirtualTime time, Resources allocatable) {
        this.time = time;
        this.allocatable = allocatable;
    }

    <A> A apply(LedgerCommand<A> command) {
        var outcome = ledger.apply(books, command, time.now());
        for (var notice : outcome.notices()) {
            if (notice instanceof LedgerNotice.InvariantsBroken(var after, var breaks)) {
                throw new AssertionError("the ledger's own invariants broke after " + after + ": " + breaks);
            }
        }
        books = outcome.state();
        return outcome.reply();
    }

    /** One consistent listing of all that runs now. */
    void load(Collection<ApiModel> vms) {
        listings = vms.stream().mapToLong(ApiModel::version).sum() + listings + 1;
        var pods = vms.stream().map(LedgerModel::pod).toList();
        var seen = vms.stream().map(ApiModel::seen).toList();
        apply(new LedgerCommand.Load(new LoadNode(new NodeSeen(NODE, 1, allocatable), listings, pods, seen)));
    }

    /** All memory of the node is gone. */
    void forget() {
        books = NodeState.blank(NODE);
    }

    boolean complete() {
        return books.listing().complete();
    }

    Optional<Member> member(String pod) {
        return books.members().find(pod);
    }

    Resources reserved() {
        return books.sums().reserved();
    }

    Resources total() {
        return books.size().total();
    }

    List<Member> members() {
        return books.members().all();
    }

    private static PodSeen pod(ApiModel vm) {
        return new PodSeen(
                vm.pod(),
                "sim",
                vm.pod(),
                NODE,
                vm.vm().name(),
                1,
                vm.seen().sizes().spec(),
                0);
    }
}
