package io.sluice.ledger.core;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;

/** What must hold of any books after any command. Each break is one sentence with its numbers. */
public final class Invariants {
    private Invariants() {}

    /** Of one state, by counting everything anew. */
    public static List<String> check(NodeState state) {
        var breaks = new ArrayList<String>();
        var sums = NodeSums.over(state.members());
        if (!sums.equals(state.sums())) {
            breaks.add("the sums are " + state.sums() + " but its members add up to " + sums);
        }
        atMost(breaks, "held", state.sums().held(), "reserved", state.sums().reserved());
        atMost(
                breaks,
                "migrating",
                state.sums().migrating(),
                "reserved",
                state.sums().reserved());
        atMost(breaks, "buffer", state.sums().buffer(), "reserved", state.sums().reserved());
        var accounted = Resources.NONE;
        for (var member : state.members()) {
            member(breaks, member);
            arrival(breaks, state, member);
            if (member.standing().migrating()) {
                accounted = accounted
                        .plus(member.amounts().charge())
                        .plus(member.amounts().pressureCharge());
            }
        }
        if (!accounted.equals(state.sums().accountedPressure())) {
            breaks.add("accounted pressure is " + state.sums().accountedPressure() + " but those moving make "
                    + accounted);
        }
        return breaks;
    }

    private static void member(List<String> breaks, Reservation member) {
        var amounts = member.amounts();
        var label = " of " + member.who().label();
        atMost(breaks, "buffer" + label, amounts.buffer(), "reserved", amounts.reserved());
        if (member.standing().contact() == Contact.HEARD
                && member.standing().held()
                && member.seen().pod().isPresent()) {
            breaks.add("a hold" + label + " stands although its pod is bound");
        }
        if (member.standing().migrating() && !member.who().runsVm()) {
            breaks.add("a pod without a VM moves: " + member.who().label());
        }
    }

    /** Room is held for a migration, or its target counts; never both, and the target before its VM runs in it. */
    private static void arrival(List<String> breaks, NodeState state, Reservation member) {
        var arrival = member.standing().arrival();
        boolean heldToo = state.members()
                .find(arrival.holder())
                .filter(hold -> hold.standing().held()
                        && arrival.tookOver(hold.id(), hold.standing().heldFor()))
                .isPresent();
        if (heldToo) {
            breaks.add("a hold stands beside " + member.who().label() + ", which took it over");
        }
        if (arrival.underWay()
                && (member.standing().held() || member.seen().vm().isPresent())) {
            breaks.add("a migration's target is held only, or runs its VM already: "
                    + member.who().label());
        }
    }

    /** Of one step: the state it led to, and that it booked no more than the rules allow. */
    public static List<String> check(
            NodeState before, LedgerCommand<?> command, CommandOutcome<?> outcome, LedgerRules rules) {
        var breaks = new ArrayList<>(check(outcome.state()));
        if (!command.mayForce(before, rules)) {
            for (var kind : ResourceKind.values()) {
                within(breaks, kind, before, outcome.state());
            }
        }
        if (command instanceof LedgerCommand.RequestPermit ask && outcome.reply() instanceof PermitReply.Ruled ruled) {
            ruled(breaks, before, ask, outcome.state(), ruled, rules);
        }
        if (command instanceof LedgerCommand.Mark mark && outcome.reply() instanceof MarkReply reply) {
            marked(breaks, before, mark.question(), outcome.state(), reply);
        }
        if (command instanceof LedgerCommand.SeePod || command instanceof LedgerCommand.Reweigh) {
            kept(breaks, before, outcome.state());
        }
        return breaks;
    }

    private static void marked(
            List<String> breaks, NodeState before, MarkMigrating mark, NodeState after, MarkReply reply) {
        boolean begins = before != after;
        if (begins && !(reply instanceof MarkReply.Marked)) {
            breaks.add("refused a mark with " + reply + " and changed the books");
        }
        if (reply instanceof MarkReply.Marked(var reserved)) {
            var is = after.members().find(mark.member()).orElseThrow();
            if (!is.standing().migrating() || !is.amounts().reserved().equals(reserved)) {
                breaks.add("answered a mark of " + reserved + " but booked " + is);
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
            breaks.add("marked for a pressure that there is not: " + before.sums());
        }
    }

    /** Of a VM no pod's fact tells that it uses less; holds alone end by one, where a migration's target takes over. */
    private static void kept(List<String> breaks, NodeState before, NodeState after) {
        for (var was : before.members()) {
            if (!was.who().runsVm() || HoldRoom.isForMigration(was.id())) {
                continue;
            }
            var is = after.members().find(was.id()).map(Reservation::amounts);
            if (is.isEmpty() || was.amounts().reserved().exceeds(is.get().reserved())) {
                breaks.add("a pod's fact brought " + was.who().label() + " from "
                        + was.amounts().reserved() + " to " + is);
            }
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

    /** A repeat is answered from memory and changes nothing, so only what changed the books is held against them. */
    private static void ruled(
            List<String> breaks,
            NodeState before,
            LedgerCommand.RequestPermit ask,
            NodeState after,
            PermitReply.Ruled ruled,
            LedgerRules rules) {
        var question = ask.question();
        var was = before.members().find(question.member()).orElseThrow();
        if (before == after) {
            return;
        }
        var is = after.members().find(question.member()).orElseThrow();
        if (!is.amounts().told().equals(ruled.permit())) {
            breaks.add("answered " + ruled.permit() + " but reserved " + is.amounts());
        }
        var contact = is.standing().contact();
        boolean all = is.amounts().buffer().equals(Resources.NONE);
        if (contact == Contact.HEARD && !all || contact == Contact.EXPOSED && all) {
            breaks.add("a buffer of " + is.amounts().buffer() + " is left with "
                    + is.standing().contact());
        }
        if (is.amounts().buffer().exceeds(was.amounts().reserved())) {
            breaks.add("a buffer grew to " + is.amounts().buffer() + " of "
                    + was.amounts().reserved());
        }
        boolean moving = was.standing().migrating() || ask.startsMoving();
        var held = GrowthBaseline.of(before, was, question, moving, rules).granted();
        ruled(breaks, was, question, held, ruled.permit(), moving, ResourceKind.CPU, ruled.cpu());
        ruled(breaks, was, question, held, ruled.permit(), moving, ResourceKind.MEMORY, ruled.memory());
    }

    private static void ruled(
            List<String> breaks,
            Reservation was,
            PermitRequest question,
            Resources heldBefore,
            Resources permitted,
            boolean moving,
            ResourceKind kind,
            KindDecision ruling) {
        long held = heldBefore.of(kind);
        long target = question.target().of(kind);
        long permit = permitted.of(kind);
        if (ruling.permit() != permit || ruling.before() != held) {
            breaks.add(kind + " is explained as " + ruling + " but went from " + held + " to " + permit);
        }
        if (target <= held && permit != target) {
            breaks.add(kind + " was told " + target + " and permits " + permit);
        }
        if (target > held && (permit < held || permit > target)) {
            breaks.add(kind + " permits " + permit + ", not between " + held + " and " + target);
        }
        if (permit > held && (moving || permit > was.limits().max().of(kind))) {
            breaks.add(kind + " grew to " + permit + (moving ? " while moving" : " above its maximum"));
        }
    }

    private static void atMost(List<String> breaks, String what, Resources amount, String bound, Resources limit) {
        if (amount.exceeds(limit)) {
            breaks.add(what + " " + amount + " is above " + bound + " " + limit);
        }
    }
}
