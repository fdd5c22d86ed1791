package io.sluice.ledger.core;

import io.sluice.messages.ledger.KindRuling;
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
        var sums = Sums.over(state.members());
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

    private static void member(List<String> breaks, Member member) {
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

    /** Of one step: the state it led to, and that it booked no more than the rules allow. */
    public static List<String> check(
            NodeState before, LedgerCommand<?> command, Outcome<?> outcome, LedgerRules rules) {
        var breaks = new ArrayList<>(check(outcome.state()));
        if (!command.mayForce(before, rules)) {
            for (var kind : ResourceKind.values()) {
                within(breaks, kind, before, outcome.state());
            }
        }
        if (command instanceof LedgerCommand.Ask ask && outcome.reply() instanceof PermitReply.Ruled ruled) {
            ruled(breaks, before, ask, outcome.state(), ruled);
        }
        return breaks;
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
            List<String> breaks, NodeState before, LedgerCommand.Ask ask, NodeState after, PermitReply.Ruled ruled) {
        var question = ask.question();
        var was = before.members().find(question.member()).orElseThrow();
        if (before == after) {
            return;
        }
        var is = after.members().find(question.member()).orElseThrow();
        if (!is.amounts().reserved().equals(ruled.permit())) {
            breaks.add(
                    "answered " + ruled.permit() + " but booked " + is.amounts().reserved());
        }
        if (!is.amounts().buffer().equals(Resources.NONE)) {
            breaks.add("a buffer outlived the question: " + is.amounts().buffer());
        }
        boolean moving = was.standing().migrating() || ask.startsMoving();
        ruled(breaks, was, question, ruled.permit(), moving, ResourceKind.CPU, ruled.cpu());
        ruled(breaks, was, question, ruled.permit(), moving, ResourceKind.MEMORY, ruled.memory());
    }

    private static void ruled(
            List<String> breaks,
            Member was,
            PermitRequest question,
            Resources permitted,
            boolean moving,
            ResourceKind kind,
            KindRuling ruling) {
        long held = was.amounts().reserved().of(kind);
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
