package io.sluice.vectors;

import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NewReservation;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.PodIdentity;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One node of a recorded history, played through the ledger's own commands: facts for what the cluster shows, a session
 * for each member that asks. Every command comes a minute after the one before, so that nothing waits for time.
 */
final class LedgerNode {
    private static final String NODE = "n";

    private static final String RUNNER = "player";
    private static final Duration STEP = Duration.ofMinutes(1);
    private static final long SLOT_BYTES = 1;

    private NodeLedger ledger;
    private NodeState state = NodeState.blank(NODE);
    private Instant now = Instant.EPOCH;
    private long version;
    private final Map<String, Long> seqs = new HashMap<>();
    private final Map<String, Integer> moves = new HashMap<>();

    LedgerNode(Resources total, double fraction) {
        ledger = ledger(fraction);
        var list = new LoadNode(node(total), version, List.of(), List.of());
        long named = run(new LedgerCommand.Load(list)).relist().orElseThrow();
        run(new LedgerCommand.Load(list.relist(named)));
    }

    private static NodeLedger ledger(double fraction) {
        return new NodeLedger(
                new LedgerRules(Duration.ofSeconds(10), fraction, Portions.NOTHING, LastPermitTrust.ALWAYS, true));
    }

    NodeState state() {
        return state;
    }

    Optional<Reservation> member(String name) {
        return state.members().find(name);
    }

    double fraction() {
        return ledger.rules().watermark();
    }

    void resize(Resources total, double fraction) {
        ledger = ledger(fraction);
        run(new LedgerCommand.SeeNode(node(total)));
    }

    <A> A run(LedgerCommand<A> command) {
        now = now.plus(STEP);
        var outcome = ledger.apply(state, command, now, 1);
        outcome.notices().forEach(LedgerNode::refuseBroken);
        state = outcome.state();
        return outcome.reply();
    }

    private static void refuseBroken(LedgerNotice notice) {
        if (notice instanceof LedgerNotice.InvariantsBroken broken) {
            throw new IllegalStateException("the ledger broke its own rules: " + broken);
        }
    }

    private NodeObserved node(Resources total) {
        version++;
        return new NodeObserved(NODE, version, total);
    }

    /** A pod as the cluster shows it. */
    void pod(String name, boolean runsVm, Resources use) {
        version++;
        run(new LedgerCommand.SeePod(new PodObserved(name, "h", name, NODE, runsVm ? name : "", version, use, 0)));
    }

    /** A VM as the cluster shows it. */
    void vm(
            String name,
            Resources min,
            Resources max,
            Resources use,
            boolean scaling,
            VmPhase phase,
            Overcommit factor) {
        version++;
        run(new LedgerCommand.SeeVm(new VmObserved(
                new VmId("recorded", "h", name, name),
                version,
                name,
                name,
                NODE,
                phase,
                scaling,
                true,
                false,
                new VmSizes(min, max, use, Optional.empty(), SLOT_BYTES),
                factor,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE)));
    }

    void gone(String name) {
        version++;
        run(new LedgerCommand.LosePod(new PodGone(name, NODE, version)));
    }

    /** A recorded migration is there already: nothing is weighed. */
    void mark(String name) {
        run(new LedgerCommand.Mark(
                new MarkMigrating(NODE, name, MarkMigrating.Cause.UNDER_WAY, Resources.NONE, move(name))));
    }

    /** It is over; the next one is another. */
    LedgerCommand.Unmark unmark(String name) {
        var over = move(name);
        moves.merge(name, 1, Integer::sum);
        return new LedgerCommand.Unmark(new UnmarkMigrating(NODE, name, over));
    }

    /** Recordings know one migration of a VM at a time; no two attempts have one id. */
    private String move(String name) {
        return name + "-" + moves.getOrDefault(name, 0);
    }

    static NewReservation booking(String name, boolean runsVm, Resources amounts, Overcommit factor) {
        return new NewReservation(new PodIdentity(name, "h", name, runsVm ? name : "", 0), amounts, factor);
    }

    /** Asks as a runner would: opens a session where there is none, and numbers the question. */
    PermitReply ask(Question question) {
        var opened = run(new LedgerCommand.Open(new OpenSession(NODE, question.member(), RUNNER, 0)));
        return switch (opened) {
            case OpenReply.Refused(var cause) -> new PermitReply.Refused(cause);
            case OpenReply.NotReady _ -> new PermitReply.Refused(RefusalCause.MEMBER_UNKNOWN);
            case OpenReply.Opened session ->
                run(new LedgerCommand.RequestPermit(
                        new PermitRequest(
                                NODE,
                                question.member(),
                                RUNNER,
                                session.session(),
                                seqs.merge(question.member(), 1L, Long::sum),
                                question.unit(),
                                question.target(),
                                question.lastPermit(),
                                question.load()),
                        question.startsMoving()));
        };
    }

    /**
     * A recorded question.
     *
     * @param member who asks
     * @param target what it should hold
     * @param unit its compute unit
     * @param lastPermit the last permit that it claims
     * @param load its 1-minute load
     * @param startsMoving whether its migration begins in this answer
     */
    record Question(
            String member,
            Resources target,
            Resources unit,
            Optional<Resources> lastPermit,
            Optional<Float> load,
            boolean startsMoving) {}
}
