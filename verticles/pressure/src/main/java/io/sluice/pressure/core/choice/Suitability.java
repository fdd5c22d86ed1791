package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import java.util.Optional;

/** Whether a VM may leave its node, before room is searched on other nodes. */
final class Suitability {
    private final NodeLedgerView ledger;
    private final ChoiceContext around;

    Suitability(NodeLedgerView ledger, ChoiceContext around) {
        this.ledger = ledger;
        this.around = around;
    }

    /** What keeps it from leaving for pressure; empty where nothing does. */
    Optional<StayReason> ofPressed(ReservationView reservation) {
        return settledHere(reservation)
                .or(() -> reservation.traits().migratable()
                        ? Optional.empty()
                        : stay(reservation, Obstacle.NOT_MIGRATABLE))
                .or(() -> known(reservation))
                .or(() -> inGang(reservation))
                .or(() -> tooLarge(reservation))
                .or(() -> resting(reservation, true));
    }

    /** What keeps it from leaving because it is labelled to migrate whenever possible; empty where nothing does. */
    Optional<StayReason> ofAlways(ReservationView reservation) {
        return settledHere(reservation)
                .or(() -> known(reservation))
                .or(() -> inGang(reservation))
                .or(() -> reservation.traits().load1().isPresent()
                        ? Optional.empty()
                        : stay(reservation, Obstacle.NO_METRICS))
                .or(() -> resting(reservation, false));
    }

    /** Whether a migration takes it away, also where the ledger does not show that yet. */
    boolean leaving(ReservationView reservation) {
        return reservation.migrating() || around.engagement(reservation) == MigrationInvolvement.LEAVING;
    }

    private Optional<StayReason> settledHere(ReservationView reservation) {
        if (reservation.vmName().isEmpty()) {
            return stay(reservation, Obstacle.NO_VM);
        }
        if (reservation.traits().held()) {
            return stay(reservation, Obstacle.HELD);
        }
        if (reservation.traits().migrationTarget()) {
            return stay(reservation, Obstacle.MIGRATION_TARGET);
        }
        return leaving(reservation) ? stay(reservation, Obstacle.MIGRATING) : Optional.empty();
    }

    private Optional<StayReason> known(ReservationView reservation) {
        var vm = around.vm(reservation.namespace(), reservation.vmName());
        if (vm.isEmpty()) {
            return stay(reservation, Obstacle.VM_UNKNOWN, "its VM was not observed yet");
        }
        if (!vm.get().pod().equals(reservation.pod())) {
            return stay(reservation, Obstacle.VM_UNKNOWN, "its VM runs in another pod, or none: " + place(vm.get()));
        }
        if (vm.get().inMigration()) {
            return stay(reservation, Obstacle.MIGRATING, "its driver reports that it migrates");
        }
        if (around.engagement(reservation) == MigrationInvolvement.TAKEN) {
            return stay(reservation, Obstacle.NOT_CLEANED);
        }
        return reservation.recovered() ? stay(reservation, Obstacle.RECOVERED) : Optional.empty();
    }

    private Optional<StayReason> inGang(ReservationView reservation) {
        return around.gang(reservation.pod())
                .flatMap(KnownGang::against)
                .map(reason -> new StayReason(reservation, Obstacle.GANG, reason));
    }

    private Optional<StayReason> tooLarge(ReservationView reservation) {
        var charge = reservation.traits().charge();
        if (!charge.exceeds(ledger.watermark())) {
            return Optional.empty();
        }
        return stay(
                reservation,
                Obstacle.TOO_LARGE,
                "its charge of " + ChoiceText.amount(charge) + " alone is above the node's watermark of "
                        + ChoiceText.amount(ledger.watermark()));
    }

    private Optional<StayReason> resting(ReservationView reservation, boolean evenIfMoved) {
        return around.resting(reservation.namespace(), reservation.vmName(), evenIfMoved)
                .map(resting -> new StayReason(
                        reservation,
                        Obstacle.COOLING_DOWN,
                        "in cooldown for " + ChoiceText.seconds(resting.left()) + " more, after " + resting.after()));
    }

    private static String place(KnownVm vm) {
        return vm.podName().isEmpty() ? "no pod" : vm.podName() + " on " + vm.node();
    }

    private static Optional<StayReason> stay(ReservationView reservation, Obstacle obstacle) {
        return stay(reservation, obstacle, obstacle.sentence());
    }

    private static Optional<StayReason> stay(ReservationView reservation, Obstacle obstacle, String reason) {
        return Optional.of(new StayReason(reservation, obstacle, reason));
    }
}
