package io.sluice.ledger.core;

import io.sluice.ledger.core.state.ClaimInvariants;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.DeviceInvariants;
import io.sluice.ledger.core.state.NodePressure;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationTable;
import io.sluice.ledger.core.state.ReservationTable.Difference;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is true of every node ledger after every command. Each violation is one sentence with its numbers. */
public final class Invariants {
    private Invariants() {}

    /** Checks one state by counting everything again. */
    public static List<String> check(NodeState state) {
        var breaks = new ArrayList<String>();
        var sums = NodeSums.over(state.reservations());
        if (!sums.equals(state.sums())) {
            notSums(breaks, state, sums);
        }
        sums(breaks, state.sums());
        for (var reservation : state.reservations()) {
            reservation(breaks, reservation);
            arrival(breaks, state, reservation);
        }
        ClaimInvariants.check(breaks, state);
        return breaks;
    }

    /** Checks what has changed, for a state that was right before. */
    private static List<String> checkChanges(NodeState before, NodeState after, List<Difference> differences) {
        var breaks = new ArrayList<String>();
        var sums = before.sums();
        for (var difference : differences) {
            var removed = difference.before().map(NodeSums::of).orElse(NodeSums.ZERO);
            sums = sums.minus(removed).plus(difference.after().map(NodeSums::of).orElse(NodeSums.ZERO));
            difference.after().ifPresent(reservation -> {
                reservation(breaks, reservation);
                arrival(breaks, after, reservation);
                if (reservation.status().held()) {
                    after.reservations().forEach(other -> takenOver(breaks, other, reservation));
                }
            });
        }
        if (!sums.equals(after.sums())) {
            notSums(breaks, after, sums);
        }
        sums(breaks, after.sums());
        ClaimInvariants.check(breaks, after);
        return breaks;
    }

    private static void notSums(List<String> breaks, NodeState state, NodeSums sums) {
        breaks.add("the sums are " + state.sums() + " but its reservations add up to " + sums);
    }

    private static void sums(List<String> breaks, NodeSums sums) {
        atMost(breaks, "held", sums.held(), "reserved", sums.reserved());
        atMost(breaks, "migrating", sums.migrating(), "reserved", sums.reserved());
        if (sums.fixedHeld().exceeds(sums.fixed())) {
            breaks.add("held " + sums.fixedHeld() + " is above reserved " + sums.fixed());
        }
        atMost(breaks, "buffer", sums.buffer(), "reserved", sums.reserved());
    }

    private static void reservation(List<String> breaks, Reservation reservation) {
        var amounts = reservation.amounts();
        var label = " of " + reservation.pod().label();
        atMost(breaks, "buffer" + label, amounts.buffer(), "reserved", amounts.reserved());
        if (reservation.status().contact() == Contact.REQUESTED
                && reservation.status().held()
                && reservation.observations().pod().isPresent()) {
            breaks.add("a hold" + label + " is left although its pod is bound");
        }
        if (reservation.status().migrating() && !reservation.pod().runsVm()) {
            breaks.add("a pod without a VM has a migration mark: "
                    + reservation.pod().label());
        }
    }

    /**
     * Checks that a migration's target and its hold do not count together, and that the VM does not run there early.
     */
    private static void arrival(List<String> breaks, NodeState state, Reservation reservation) {
        var arrival = reservation.status().arrival();
        state.reservations().find(arrival.holder()).ifPresent(hold -> takenOver(breaks, reservation, hold));
        if (arrival.underWay()
                && (reservation.status().held()
                        || reservation.observations().vm().isPresent())) {
            breaks.add("a target of a running migration is only held, or already runs its VM: "
                    + reservation.pod().label());
        }
    }

    private static void takenOver(List<String> breaks, Reservation target, Reservation hold) {
        if (hold.status().held()
                && target.status().arrival().tookOver(hold.id(), hold.status().heldFor())) {
            breaks.add("a hold is left beside " + target.pod().label() + ", which took over the hold");
        }
    }

    /**
     * Checks one step: the new state, and that the command reserved no more than the rules allow.
     *
     * @param whole whether everything is counted again, or what the command changed
     */
    public static List<String> check(
            NodeState before, LedgerCommand<?> command, CommandOutcome<?> outcome, LedgerRules rules, boolean whole) {
        var differences =
                ReservationTable.between(before.reservations(), outcome.state().reservations());
        var breaks =
                new ArrayList<>(whole ? check(outcome.state()) : checkChanges(before, outcome.state(), differences));
        ClaimInvariants.check(breaks, before, outcome.state(), command instanceof LedgerCommand.Keep);
        if (!command.mayForce(before, rules)) {
            for (var kind : ResourceKind.values()) {
                within(breaks, kind, before, outcome.state());
            }
            fixedWithin(breaks, before, outcome.state());
        }
        if (command instanceof LedgerCommand.RequestPermit request
                && outcome.reply() instanceof PermitReply.Ruled ruled) {
            ruled(breaks, before, request, outcome.state(), ruled, rules);
        }
        if (command instanceof LedgerCommand.Hold hold && outcome.reply() instanceof HoldReply.Held held) {
            var id = hold.reservation().pod().id();
            DeviceInvariants.held(breaks, before, id, outcome.state(), held);
            DeviceInvariants.zoned(
                    breaks, before, id, outcome.state(), hold.reservation().fixed());
        }
        if (command instanceof LedgerCommand.Mark mark && outcome.reply() instanceof MarkReply reply) {
            marked(breaks, before, mark.request(), outcome.state(), reply);
        }
        DeviceInvariants.zoned(breaks, before, outcome.state(), differences);
        if (command instanceof LedgerCommand.ObservePod || command instanceof LedgerCommand.Reweigh) {
            kept(breaks, differences);
        }
        return breaks;
    }

    private static void marked(
            List<String> breaks, NodeState before, MarkMigrating mark, NodeState after, MarkReply reply) {
        boolean begins = before != after;
        if (begins && !(reply instanceof MarkReply.Marked)) {
            breaks.add("refused a mark with " + reply + " and changed the ledger state");
        }
        if (reply instanceof MarkReply.Marked(var reserved)) {
            var is = after.reservations().find(mark.pod()).orElseThrow();
            if (!is.status().migrating() || !is.amounts().reserved().equals(reserved)) {
                breaks.add("replied to a mark with " + reserved + " but reserved " + is);
            }
            boolean weighed =
                    mark.cause() == MarkMigrating.Cause.PRESSURE || mark.cause() == MarkMigrating.Cause.ALWAYS;
            if (begins && weighed && reserved.exceeds(mark.room())) {
                breaks.add("marked " + reserved + " for which only " + mark.room() + " is held");
            }
        }
        if (begins
                && mark.cause() == MarkMigrating.Cause.PRESSURE
                && !NodePressure.of(before).tooMuch()) {
            breaks.add("marked for pressure, but the node is not under pressure: " + before.sums());
        }
    }

    /**
     * Checks that an observation of a pod never lowers a VM's reservation. Only a hold of a migration may end by one.
     */
    private static void kept(List<String> breaks, List<Difference> differences) {
        for (var difference : differences) {
            difference
                    .before()
                    .filter(was -> was.pod().runsVm() && !HoldRoom.isForMigration(was.id()))
                    .ifPresent(was -> kept(breaks, was, difference.after().map(Reservation::amounts)));
        }
    }

    private static void kept(List<String> breaks, Reservation was, Optional<ReservationAmounts> is) {
        var reserved = was.amounts().reserved();
        if (is.filter(amounts -> !reserved.exceeds(amounts.reserved())).isEmpty()) {
            breaks.add("an observation of a pod lowered " + was.pod().label() + " from " + reserved + " to " + is);
        }
    }

    private static void within(List<String> breaks, ResourceKind kind, NodeState before, NodeState after) {
        long reserved = after.sums().reserved().of(kind);
        if (reserved > after.size().total().of(kind)
                && reserved > before.sums().reserved().of(kind)) {
            breaks.add(kind + " reserved rose to " + reserved + " above the total of "
                    + after.size().total().of(kind));
        }
    }

    /** The same for the other kinds. What exceeded a total that has shrunk may stay, and may not grow. */
    private static void fixedWithin(List<String> breaks, NodeState before, NodeState after) {
        var over = after.sums().fixed().minus(after.size().fixed());
        var grown = after.sums().fixed().minus(before.sums().fixed());
        if (!over.min(grown).isNone()) {
            breaks.add("fixed amounts rose to " + after.sums().fixed() + " above the total of "
                    + after.size().fixed());
        }
    }

    /**
     * Checks a permit reply. A repeat gets the stored reply and changes nothing, so only changed states are checked.
     */
    private static void ruled(
            List<String> breaks,
            NodeState before,
            LedgerCommand.RequestPermit request,
            NodeState after,
            PermitReply.Ruled ruled,
            LedgerRules rules) {
        var permitRequest = request.request();
        var was = before.reservations().find(permitRequest.pod()).orElseThrow();
        if (before == after) {
            return;
        }
        var is = after.reservations().find(permitRequest.pod()).orElseThrow();
        if (!is.amounts().reported().equals(ruled.permit())) {
            breaks.add("permitted " + ruled.permit() + " but reserved " + is.amounts());
        }
        var contact = is.status().contact();
        boolean all = is.amounts().buffer().equals(Resources.NONE);
        if (contact == Contact.REQUESTED && !all || contact == Contact.EXPOSED && all) {
            breaks.add("a buffer of " + is.amounts().buffer() + " is left with "
                    + is.status().contact());
        }
        if (is.amounts().buffer().exceeds(was.amounts().reserved())) {
            breaks.add("a buffer grew to " + is.amounts().buffer() + " of "
                    + was.amounts().reserved());
        }
        boolean moving = was.migrates() || request.startsMoving();
        var held = GrowthBaseline.of(before, was, permitRequest, moving, rules).granted();
        ruled(breaks, was, permitRequest, held, ruled.permit(), moving, ResourceKind.CPU, ruled.cpu());
        ruled(breaks, was, permitRequest, held, ruled.permit(), moving, ResourceKind.MEMORY, ruled.memory());
    }

    private static void ruled(
            List<String> breaks,
            Reservation was,
            PermitRequest request,
            Resources heldBefore,
            Resources permitted,
            boolean moving,
            ResourceKind kind,
            KindDecision ruling) {
        long held = heldBefore.of(kind);
        long target = request.target().of(kind);
        long permit = permitted.of(kind);
        if (ruling.permit() != permit || ruling.before() != held) {
            breaks.add(kind + " has the decision " + ruling + " but changed from " + held + " to " + permit);
        }
        if (target <= held && permit != target) {
            breaks.add(kind + " has the target " + target + " and permits " + permit);
        }
        if (target > held && (permit < held || permit > target)) {
            breaks.add(kind + " permits " + permit + ", not between " + held + " and " + target);
        }
        if (permit > held && (moving || permit > was.limits().max().of(kind))) {
            breaks.add(kind + " grew to " + permit + (moving ? " while migrating" : " above its maximum"));
        }
    }

    private static void atMost(List<String> breaks, String what, Resources amount, String bound, Resources limit) {
        if (amount.exceeds(limit)) {
            breaks.add(what + " " + amount + " is above " + bound + " " + limit);
        }
    }
}
