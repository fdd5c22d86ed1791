package io.sluice.ledger.core;

import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** Decides permit requests: how much a VM may use from now on. */
final class PermitRules {
    private PermitRules() {}

    static CommandOutcome<PermitReply> request(
            NodeState state, LedgerCommand.RequestPermit command, LedgerRules rules, Instant now) {
        var request = command.request();
        var notReady = state.notReady();
        if (notReady.isPresent()) {
            return CommandOutcome.of(state, new PermitReply.NotReady(notReady.get(), Sessions.RETRY_AFTER));
        }
        var found = state.reservations().find(request.pod());
        if (found.isEmpty()) {
            return CommandOutcome.of(state, new PermitReply.Refused(RefusalCause.POD_UNKNOWN));
        }
        var reservation = found.get();
        return refused(reservation, request)
                .or(() -> Sessions.stale(state, reservation, request))
                .or(() -> malformed(request))
                .map(reply -> CommandOutcome.of(state, reply))
                .orElseGet(() -> rule(state, reservation, command, rules, now));
    }

    private static Optional<PermitReply> refused(Reservation reservation, PermitRequest request) {
        if (!reservation.pod().runsVm()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.NOT_A_VM));
        }
        if (reservation.observations().vm().isEmpty()) {
            return Optional.of(new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Sessions.RETRY_AFTER));
        }
        return Optional.empty();
    }

    private static Optional<PermitReply> malformed(PermitRequest request) {
        if (request.computeUnit().hasZero()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.ZERO_COMPUTE_UNIT));
        }
        if (request.target().hasZero()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.ZERO_TARGET));
        }
        return Optional.empty();
    }

    /** Whether the last permit that the agent names counts although the ledger has no record of it. */
    static boolean trusts(Reservation reservation, LedgerRules rules) {
        return switch (rules.trustLastPermit()) {
            case ALWAYS -> true;
            case RECOVERY -> reservation.status().contact().afterLoss();
        };
    }

    private static CommandOutcome<PermitReply> rule(
            NodeState state,
            Reservation reservation,
            LedgerCommand.RequestPermit command,
            LedgerRules rules,
            Instant now) {
        var request = command.request();
        boolean moving = reservation.migrates() || command.startsMoving();
        var lastPermit = trusts(reservation, rules) ? request.lastPermit().orElse(Resources.NONE) : Resources.NONE;
        var baseline = GrowthBaseline.of(state, reservation, request, moving, rules);
        var from = baseline.in(state, reservation);
        boolean stopped = NodeObservationRules.growthStopped(state, rules, now);
        var cpu = decide(from, reservation, request, baseline, lastPermit, moving, stopped, ResourceKind.CPU);
        var memory = decide(from, reservation, request, baseline, lastPermit, moving, stopped, ResourceKind.MEMORY);

        var permit = new Resources(cpu.permit(), memory.permit());
        var amounts = reservation
                .amounts()
                .permitted(permit, baseline.kept(), request.target(), new Resources(cpu.pressure(), memory.pressure()));
        var answered = reservation
                .with(amounts)
                .with(reservation.limits().requested(request.computeUnit()))
                .with(reservation.status().answered(contact(reservation, baseline.waits(), amounts)));
        var reserved = state.with(answered);
        var answer = new PermitReply.Ruled(
                request.session(),
                request.seq(),
                permit,
                rules.permitValidFor(),
                moving,
                ruling(from, reserved, reservation, request, baseline, cpu, ResourceKind.CPU),
                ruling(from, reserved, reservation, request, baseline, memory, ResourceKind.MEMORY));
        return recorded(reserved, reservation, answered, request, answer, rules, now);
    }

    /**
     * An agent that requests for a VM without autoscaling may use the reply, so the VM has to be reclaimed once more.
     */
    private static Contact contact(Reservation before, boolean waits, ReservationAmounts after) {
        if (!before.limits().autoscaled()) {
            return Contact.SWITCHED_OFF;
        }
        if (after.buffer().equals(Resources.NONE)) {
            return Contact.REQUESTED;
        }
        return waits ? before.status().contact() : Contact.EXPOSED;
    }

    private static CommandOutcome<PermitReply> recorded(
            NodeState reserved,
            Reservation before,
            Reservation answered,
            PermitRequest request,
            PermitReply.Ruled answer,
            LedgerRules rules,
            Instant now) {
        var session = answered.session()
                .took(
                        new AgentSession.Taken(request, answer),
                        !answered.status().migrating(),
                        now)
                .keeping(!answered.status().contact().isAnswered(), now);
        if (answer.permit().exceeds(before.amounts().reported())) {
            session = session.grown(before.observations());
        }
        var claim = request.lastPermit().orElse(Resources.NONE);
        boolean overclaims =
                !trusts(before, rules) && claim.exceeds(before.amounts().reserved());
        if (!overclaims || session.overclaimed()) {
            return CommandOutcome.of(reserved.withSession(answered.with(session)), answer);
        }
        return CommandOutcome.<PermitReply>of(
                        reserved.withSession(answered.with(session.withOverclaimReported())), answer)
                .noting(new LedgerNotice.Overclaimed(
                        before.pod(), before.amounts().reserved(), claim));
    }

    private static PermitKindRule.Decision decide(
            NodeState state,
            Reservation reservation,
            PermitRequest request,
            GrowthBaseline baseline,
            Resources lastPermit,
            boolean moving,
            boolean stopped,
            ResourceKind kind) {
        return PermitKindRule.decide(new PermitKindRule.Input(
                baseline.granted().of(kind),
                request.target().of(kind),
                reservation.limits().max().of(kind),
                request.computeUnit().of(kind),
                lastPermit.of(kind),
                remaining(state, reservation, kind),
                moving,
                stopped));
    }

    private static KindDecision ruling(
            NodeState before,
            NodeState after,
            Reservation reservation,
            PermitRequest request,
            GrowthBaseline baseline,
            PermitKindRule.Decision decision,
            ResourceKind kind) {
        return new KindDecision(
                decision.outcome(),
                baseline.granted().of(kind),
                request.target().of(kind),
                decision.permit(),
                remaining(before, reservation, kind),
                after.sums().reserved().of(kind),
                after.size().total().of(kind));
    }

    private static long remaining(NodeState state, Reservation reservation, ResourceKind kind) {
        return reservation.amounts().overcommit().amountFor(state.remaining().of(kind), kind);
    }
}
