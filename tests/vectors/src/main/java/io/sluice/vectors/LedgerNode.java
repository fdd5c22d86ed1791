package io.sluice.vectors;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.ledger.core.state.Reservation;
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
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
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
 * One node of a recorded history, played through the ledger's own commands: observations for what the Kubernetes
 * cluster has, a session for each pod that sends requests. Each command comes a minute after the one before, so that
 * nothing waits for time.
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
        return new NodeLedger(new LedgerRules(
                Duration.ofSeconds(10), fraction, Portions.NOTHING, LastPermitTrust.ALWAYS, InvariantChecks.WHOLE));
    }

    NodeState state() {
        return state;
    }

    Optional<Reservation> reservation(String name) {
        return state.reservations().find(name);
    }

    double fraction() {
        return ledger.rules().watermark();
    }

    void resize(Resources total, double fraction) {
        ledger = ledger(fraction);
        run(new LedgerCommand.ObserveNode(node(total)));
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

    /** Observes a pod. */
    void pod(String name, boolean runsVm, Resources use) {
        version++;
        run(new LedgerCommand.ObservePod(new PodObserved(name, "h", name, NODE, runsVm ? name : "", version, use, 0)));
    }

    /** Observes a VM. */
    void vm(
            String name,
            Resources min,
            Resources max,
            Resources use,
            boolean scaling,
            VmPhase phase,
            Overcommit factor) {
        version++;
        run(new LedgerCommand.ObserveVm(new VmObserved(
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

    /** Marks a migration that is under way already: the ledger checks no room for it. */
    void mark(String name) {
        run(new LedgerCommand.Mark(
                new MarkMigrating(NODE, name, MarkMigrating.Cause.UNDER_WAY, Resources.NONE, move(name))));
    }

    /** Removes the mark; the next migration has another id. */
    LedgerCommand.Unmark unmark(String name) {
        var over = move(name);
        moves.merge(name, 1, Integer::sum);
        return new LedgerCommand.Unmark(new UnmarkMigrating(NODE, name, over));
    }

    /** The id of an attempt. Recordings have one migration of a VM at a time, and no two attempts have the same id. */
    private String move(String name) {
        return name + "-" + moves.getOrDefault(name, 0);
    }

    static NewReservation reservation(String name, boolean runsVm, Resources amounts, Overcommit factor) {
        return new NewReservation(new PodIdentity(name, "h", name, runsVm ? name : "", 0), amounts, factor);
    }

    /** Sends a permit request as a runner does: opens a session if there is none, and numbers the request. */
    PermitReply request(Request request) {
        var opened = run(new LedgerCommand.Open(new OpenSession(NODE, request.pod(), RUNNER, 0)));
        return switch (opened) {
            case OpenReply.Refused(var cause) -> new PermitReply.Refused(cause);
            case OpenReply.NotReady _ -> new PermitReply.Refused(RefusalCause.POD_UNKNOWN);
            case OpenReply.Opened session ->
                run(new LedgerCommand.RequestPermit(
                        new PermitRequest(
                                NODE,
                                request.pod(),
                                RUNNER,
                                session.session(),
                                seqs.merge(request.pod(), 1L, Long::sum),
                                request.unit(),
                                request.target(),
                                request.lastPermit(),
                                request.load()),
                        request.startsMoving()));
        };
    }

    /**
     * A recorded permit request.
     *
     * @param pod the pod of the VM
     * @param target the requested size
     * @param unit its compute unit
     * @param lastPermit the last permit that it names
     * @param load its 1-minute load
     * @param startsMoving whether its migration begins with the reply
     */
    record Request(
            String pod,
            Resources target,
            Resources unit,
            Optional<Resources> lastPermit,
            Optional<Float> load,
            boolean startsMoving) {}
}
