package io.sluice.ledger.core;

import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.RefusalCause;
import java.time.Instant;
import java.util.Optional;

/** Sets and removes migration marks on the source's node. */
final class MigrationMarkRules {
    private MigrationMarkRules() {}

    static CommandOutcome<MarkReply> mark(NodeState state, MarkMigrating request, LedgerRules rules, Instant now) {
        var found = state.reservations().find(request.pod());
        if (found.isEmpty()) {
            return refused(state, RefusalCause.POD_UNKNOWN);
        }
        var reservation = found.get();
        if (!reservation.pod().runsVm()) {
            return refused(state, RefusalCause.NOT_A_VM);
        }
        var mark = new MigrationMark(request.attempt(), request.cause() == MarkMigrating.Cause.UNDER_WAY);
        var current = reservation.status().mark(mark.attempt());
        if (current.isPresent()) {
            return again(state, reservation, current.get(), mark);
        }
        if (state.gone().ended(mark.attempt())) {
            return refused(state, RefusalCause.ATTEMPT_OVER);
        }
        return unready(state, request)
                .or(() -> weighed(state, reservation, request, rules, now))
                .map(reply -> CommandOutcome.of(state, reply))
                .orElseGet(() -> marked(state, reservation, mark, rules, now));
    }

    /** A repeat can only add that the migration's object was observed. */
    private static CommandOutcome<MarkReply> again(
            NodeState state, Reservation reservation, MigrationMark known, MigrationMark mark) {
        boolean news = mark.begun() && !known.begun();
        return CommandOutcome.of(
                news ? state.with(reservation.with(reservation.status().with(mark))) : state,
                new MarkReply.Marked(reservation.amounts().reserved()));
    }

    /**
     * Before the VM was observed in the pod, its reservation does not cover what lost state may have permitted. The
     * reply must not tell it: the target would count at that.
     */
    private static Optional<MarkReply> unobserved(Reservation reservation) {
        return reservation.observations().vm().isPresent()
                ? Optional.empty()
                : Optional.of(new MarkReply.Refused(RefusalCause.VM_UNOBSERVED));
    }

    /** A node that is not ready may be ready again soon, and its VMs can hardly be migrated. */
    private static Optional<MarkReply> unready(NodeState state, MarkMigrating request) {
        boolean begins = request.cause() != MarkMigrating.Cause.UNDER_WAY;
        return begins && state.size().notReady().isPresent()
                ? Optional.of(new MarkReply.Refused(RefusalCause.NODE_NOT_READY))
                : Optional.empty();
    }

    /** The reason not to mark the VM; empty if there is none. */
    private static Optional<MarkReply> weighed(
            NodeState state, Reservation reservation, MarkMigrating request, LedgerRules rules, Instant now) {
        boolean toBegin =
                request.cause() == MarkMigrating.Cause.PRESSURE || request.cause() == MarkMigrating.Cause.ALWAYS;
        int marks = reservation.status().marks().size();
        if (toBegin && marks > 0 || marks >= ReservationStatus.MARKS_MAX) {
            return Optional.of(new MarkReply.Refused(RefusalCause.ALREADY_MOVING));
        }
        return switch (request.cause()) {
            case UNDER_WAY, BEGINNING -> unobserved(reservation);
            case PRESSURE ->
                unmovable(
                                reservation,
                                reservation.limits().migratable()
                                        || reservation.limits().alwaysMigrate(),
                                rules,
                                now)
                        .or(() -> unpressed(state))
                        .or(() -> outgrown(reservation, request, rules, now));
            case ALWAYS ->
                unmovable(
                                reservation,
                                reservation.limits().alwaysMigrate()
                                        && reservation.session().load1().isPresent(),
                                rules,
                                now)
                        .or(() -> outgrown(reservation, request, rules, now));
        };
    }

    /** For the target of a migration it is not certain yet that its VM runs here. */
    private static Optional<MarkReply> unmovable(
            Reservation reservation, boolean allowed, LedgerRules rules, Instant now) {
        if (ExpiryRules.mayUsePermitsOfLostState(reservation, rules, now)) {
            return Optional.of(new MarkReply.Refused(RefusalCause.RECOVERED));
        }
        boolean runsHere =
                !reservation.status().held() && reservation.observations().vm().isPresent();
        return allowed && runsHere ? Optional.empty() : Optional.of(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    private static Optional<MarkReply> unpressed(NodeState state) {
        var ledger = LedgerView.summary(state, 0);
        return ledger.underPressure()
                ? Optional.empty()
                : Optional.of(new MarkReply.NotPressed(PressureNumbers.of(ledger)));
    }

    /** Compares the room at the target with the reservation after the mark has given the buffer back. */
    private static Optional<MarkReply> outgrown(
            Reservation reservation, MarkMigrating request, LedgerRules rules, Instant now) {
        var reserved = begun(reservation, rules, now).amounts().reserved();
        return reserved.exceeds(request.room()) ? Optional.of(new MarkReply.Outgrown(reserved)) : Optional.empty();
    }

    private static CommandOutcome<MarkReply> marked(
            NodeState state, Reservation reservation, MigrationMark mark, LedgerRules rules, Instant now) {
        var begun = begun(reservation, rules, now);
        begun = begun.with(begun.status().with(mark));
        return CommandOutcome.of(
                state.with(begun), new MarkReply.Marked(begun.amounts().reserved()));
    }

    /** The buffer is given back to the node, unless permits of lost state may still use it. */
    private static Reservation begun(Reservation reservation, LedgerRules rules, Instant now) {
        var amounts = ExpiryRules.mayUsePermitsOfLostState(reservation, rules, now)
                ? reservation.amounts()
                : reservation.amounts().withoutBuffer();
        return reservation.with(amounts).with(reservation.session().withoutLoad());
    }

    /** The marks of other migrations stay. The attempt is recorded as ended in any case. */
    static CommandOutcome<MarkReply> unmark(NodeState state, UnmarkMigrating request, Instant now) {
        var ended = state.with(state.gone().ending(request.attempt(), now));
        var found = ended.reservations().find(request.pod());
        if (found.isEmpty()) {
            return refused(ended, RefusalCause.POD_UNKNOWN);
        }
        var reservation = found.get();
        var next = reservation.status().mark(request.attempt()).isPresent()
                ? ended.with(reservation.with(reservation.status().withoutMark(request.attempt())))
                : ended;
        return CommandOutcome.of(
                next, new MarkReply.Unmarked(reservation.amounts().reserved()));
    }

    private static CommandOutcome<MarkReply> refused(NodeState state, RefusalCause cause) {
        return CommandOutcome.of(state, new MarkReply.Refused(cause));
    }
}
