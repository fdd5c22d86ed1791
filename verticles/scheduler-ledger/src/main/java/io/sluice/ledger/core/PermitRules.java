package io.sluice.ledger.core;

import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** Questions of agents: how much a member may use from now on. */
final class PermitRules {
    private PermitRules() {}

    static CommandOutcome<PermitReply> ask(
            NodeState state, LedgerCommand.RequestPermit command, LedgerRules rules, Instant now) {
        var question = command.question();
        var notReady = state.notReady();
        if (notReady.isPresent()) {
            return CommandOutcome.of(state, new PermitReply.NotReady(notReady.get(), Sessions.RETRY_AFTER));
        }
        var found = state.members().find(question.member());
        if (found.isEmpty()) {
            return CommandOutcome.of(state, new PermitReply.Refused(RefusalCause.MEMBER_UNKNOWN));
        }
        var member = found.get();
        return refused(member, question)
                .or(() -> Sessions.stale(state, member, question))
                .or(() -> malformed(question))
                .map(reply -> CommandOutcome.of(state, reply))
                .orElseGet(() -> rule(state, member, command, rules, now));
    }

    private static Optional<PermitReply> refused(Reservation member, PermitRequest question) {
        if (!member.who().runsVm()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.NOT_A_VM));
        }
        if (member.seen().vm().isEmpty()) {
            return Optional.of(new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Sessions.RETRY_AFTER));
        }
        return Optional.empty();
    }

    private static Optional<PermitReply> malformed(PermitRequest question) {
        if (question.computeUnit().hasZero()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.ZERO_COMPUTE_UNIT));
        }
        if (question.target().hasZero()) {
            return Optional.of(new PermitReply.Refused(RefusalCause.ZERO_TARGET));
        }
        return Optional.empty();
    }

    /** Whether the asker's word for its last permit counts beyond the books. */
    static boolean trusts(Reservation member, LedgerRules rules) {
        return switch (rules.trustLastPermit()) {
            case ALWAYS -> true;
            case RECOVERY -> member.standing().contact().afterLoss();
        };
    }

    private static CommandOutcome<PermitReply> rule(
            NodeState state, Reservation member, LedgerCommand.RequestPermit command, LedgerRules rules, Instant now) {
        var question = command.question();
        boolean moving = member.standing().migrating() || command.startsMoving();
        var lastPermit = trusts(member, rules) ? question.lastPermit().orElse(Resources.NONE) : Resources.NONE;
        var baseline = GrowthBaseline.of(state, member, question, moving, rules);
        var from = baseline.in(state, member);
        boolean stopped = NodeObservationRules.growthStopped(state, rules, now);
        var cpu = decide(from, member, question, baseline, lastPermit, moving, stopped, ResourceKind.CPU);
        var memory = decide(from, member, question, baseline, lastPermit, moving, stopped, ResourceKind.MEMORY);

        var permit = new Resources(cpu.permit(), memory.permit());
        var amounts = member.amounts()
                .permitted(
                        permit, baseline.kept(), question.target(), new Resources(cpu.pressure(), memory.pressure()));
        var answered = member.with(amounts)
                .with(member.limits().asking(question.computeUnit()))
                .with(member.standing().answered(contact(member, baseline.waits(), amounts)));
        var booked = state.with(answered);
        var answer = new PermitReply.Ruled(
                question.session(),
                question.seq(),
                permit,
                rules.permitValidFor(),
                moving,
                ruling(from, booked, member, question, baseline, cpu, ResourceKind.CPU),
                ruling(from, booked, member, question, baseline, memory, ResourceKind.MEMORY));
        return noted(booked, member, answered, question, answer, rules, now);
    }

    /** An agent that asks for a VM which nobody is to scale may put the answer to use: it is settled once more. */
    private static Contact contact(Reservation before, boolean waits, ReservationAmounts after) {
        if (!before.limits().autoscaled()) {
            return Contact.SWITCHED_OFF;
        }
        if (after.buffer().equals(Resources.NONE)) {
            return Contact.HEARD;
        }
        return waits ? before.standing().contact() : Contact.EXPOSED;
    }

    private static CommandOutcome<PermitReply> noted(
            NodeState booked,
            Reservation before,
            Reservation answered,
            PermitRequest question,
            PermitReply.Ruled answer,
            LedgerRules rules,
            Instant now) {
        var talk = answered.talk()
                .took(
                        new AgentSession.Taken(question, answer),
                        !answered.standing().migrating(),
                        now)
                .keeping(!answered.standing().contact().isAnswered(), now);
        if (answer.permit().exceeds(before.amounts().told())) {
            talk = talk.grown(before.seen());
        }
        var claim = question.lastPermit().orElse(Resources.NONE);
        boolean overclaims =
                !trusts(before, rules) && claim.exceeds(before.amounts().reserved());
        if (!overclaims || talk.overclaimed()) {
            return CommandOutcome.of(booked.withTalk(answered.with(talk)), answer);
        }
        return CommandOutcome.<PermitReply>of(booked.withTalk(answered.with(talk.toldOfOverclaim())), answer)
                .noting(new LedgerNotice.Overclaimed(
                        before.who(), before.amounts().reserved(), claim));
    }

    private static PermitKindRule.Decision decide(
            NodeState state,
            Reservation member,
            PermitRequest question,
            GrowthBaseline baseline,
            Resources lastPermit,
            boolean moving,
            boolean stopped,
            ResourceKind kind) {
        return PermitKindRule.decide(new PermitKindRule.Input(
                baseline.granted().of(kind),
                question.target().of(kind),
                member.limits().max().of(kind),
                question.computeUnit().of(kind),
                lastPermit.of(kind),
                remaining(state, member, kind),
                moving,
                stopped));
    }

    private static KindDecision ruling(
            NodeState before,
            NodeState after,
            Reservation member,
            PermitRequest question,
            GrowthBaseline baseline,
            PermitKindRule.Decision decision,
            ResourceKind kind) {
        return new KindDecision(
                decision.verdict(),
                baseline.granted().of(kind),
                question.target().of(kind),
                decision.permit(),
                remaining(before, member, kind),
                after.sums().reserved().of(kind),
                after.size().total().of(kind));
    }

    private static long remaining(NodeState state, Reservation member, ResourceKind kind) {
        return KindArithmetic.forMember(
                state.remaining().of(kind), member.amounts().overcommit(), kind);
    }
}
