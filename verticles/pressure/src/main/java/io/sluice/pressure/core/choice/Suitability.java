package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import java.util.Optional;

/** Whether a member may leave its node, before anybody asks for room elsewhere. */
final class Suitability {
    private final NodeLedgerView books;
    private final ChoiceContext around;

    Suitability(NodeLedgerView books, ChoiceContext around) {
        this.books = books;
        this.around = around;
    }

    /** What keeps it from being moved for pressure's sake; empty where nothing does. */
    Optional<StayReason> ofPressed(ReservationView member) {
        return settledHere(member)
                .or(() -> member.traits().migratable() ? Optional.empty() : stay(member, Obstacle.NOT_MIGRATABLE))
                .or(() -> known(member))
                .or(() -> tooLarge(member))
                .or(() -> resting(member, true));
    }

    /** What keeps it from being moved because it is labelled to move whenever it can. */
    Optional<StayReason> ofAlways(ReservationView member) {
        return settledHere(member)
                .or(() -> known(member))
                .or(() -> member.traits().load1().isPresent() ? Optional.empty() : stay(member, Obstacle.NO_METRICS))
                .or(() -> resting(member, false));
    }

    /** Whether a migration takes it away, even if the books do not show that yet. */
    boolean leaving(ReservationView member) {
        return member.migrating() || around.engagement(member) == MigrationInvolvement.LEAVING;
    }

    private Optional<StayReason> settledHere(ReservationView member) {
        if (member.vmName().isEmpty()) {
            return stay(member, Obstacle.NO_VM);
        }
        if (member.traits().held()) {
            return stay(member, Obstacle.HELD);
        }
        if (member.traits().migrationTarget()) {
            return stay(member, Obstacle.MIGRATION_TARGET);
        }
        return leaving(member) ? stay(member, Obstacle.MIGRATING) : Optional.empty();
    }

    private Optional<StayReason> known(ReservationView member) {
        var vm = around.vm(member.namespace(), member.vmName());
        if (vm.isEmpty()) {
            return stay(member, Obstacle.VM_UNKNOWN, "its VM was not heard of yet");
        }
        if (!vm.get().pod().equals(member.member())) {
            return stay(member, Obstacle.VM_UNKNOWN, "its VM runs in another pod, or none: " + place(vm.get()));
        }
        if (vm.get().inMigration()) {
            return stay(member, Obstacle.MIGRATING, "its driver says that it is being moved");
        }
        if (around.engagement(member) == MigrationInvolvement.TAKEN) {
            return stay(member, Obstacle.NOT_CLEANED);
        }
        return member.recovered() ? stay(member, Obstacle.RECOVERED) : Optional.empty();
    }

    private Optional<StayReason> tooLarge(ReservationView member) {
        var charge = member.traits().charge();
        if (!charge.exceeds(books.watermark())) {
            return Optional.empty();
        }
        return stay(
                member,
                Obstacle.TOO_LARGE,
                "its charge of " + ChoiceText.amount(charge) + " alone is above the node's watermark of "
                        + ChoiceText.amount(books.watermark()));
    }

    private Optional<StayReason> resting(ReservationView member, boolean evenIfMoved) {
        return around.resting(member.namespace(), member.vmName(), evenIfMoved)
                .map(resting -> new StayReason(
                        member,
                        Obstacle.COOLING_DOWN,
                        "in cool-down for " + ChoiceText.seconds(resting.left()) + " more, after " + resting.after()));
    }

    private static String place(KnownVm vm) {
        return vm.podName().isEmpty() ? "no pod" : vm.podName() + " on " + vm.node();
    }

    private static Optional<StayReason> stay(ReservationView member, Obstacle obstacle) {
        return stay(member, obstacle, obstacle.sentence());
    }

    private static Optional<StayReason> stay(ReservationView member, Obstacle obstacle, String reason) {
        return Optional.of(new StayReason(member, obstacle, reason));
    }
}
