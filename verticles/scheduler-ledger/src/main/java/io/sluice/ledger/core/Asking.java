package io.sluice.ledger.core;

import io.sluice.messages.ledger.KindRuling;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** Questions of agents: how much a member may use from now on. */
final class Asking {
    private Asking() {}

    static Outcome<PermitReply> ask(NodeState state, LedgerCommand.Ask command, LedgerRules rules, Instant now) {
        var question = command.question();
        var notReady = state.notReady();
        if (notReady.isPresent()) {
            return Outcome.of(state, new PermitReply.NotReady(notReady.get(), Sessions.RETRY_AFTER));
        }
        var found = state.members().find(question.member());
        if (found.isEmpty()) {
            return Outcome.of(state, new PermitReply.Refused(RefusalCause.MEMBER_UNKNOWN));
        }
        var member = found.get();
        return refused(member, question)
                .or(() -> Sessions.stale(member, question))
                .or(() -> malformed(question))
                .map(reply -> Outcome.of(state, reply))
                .orElseGet(() -> rule(state, member, command, rules, now));
    }

    private static Optional<PermitReply> refused(Member member, PermitRequest question) {
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
    static boolean trusts(Member member, LedgerRules rules) {
        return switch (rules.trustLastPermit()) {
            case ALWAYS -> true;
            case RECOVERY -> member.standing().contact().afterLoss();
        };
    }

    private static Outcome<PermitReply> rule(
            NodeState state, Member member, LedgerCommand.Ask command, LedgerRules rules, Instant now) {
        var question = command.question();
        boolean moving = member.standing().migrating() || command.startsMoving();
        var lastPermit = trusts(member, rules) ? question.lastPermit().orElse(Resources.NONE) : Resources.NONE;
        var held = Held.of(state, member, question.lastPermit(), moving, rules);
        var from = Held.givenBack(state, member, held);
        var cpu = decide(from, member, question, held, lastPermit, moving, ResourceKind.CPU);
        var memory = decide(from, member, question, held, lastPermit, moving, ResourceKind.MEMORY);

        var answered = member.with(new Amounts(
                        new Resources(cpu.permit(), memory.permit()),
                        question.target(),
                        new Resources(cpu.pressure(), memory.pressure()),
                        Resources.NONE,
                        member.amounts().overcommit()))
                .with(member.limits().asking(question.computeUnit()))
                .with(member.standing().heard());
        var booked = state.with(answered);
        var answer = new PermitReply.Ruled(
                question.session(),
                question.seq(),
                answered.amounts().reserved(),
                rules.permitValidFor(),
                moving,
                ruling(from, booked, member, question, held, cpu, ResourceKind.CPU),
                ruling(from, booked, member, question, held, memory, ResourceKind.MEMORY));
        return noted(booked, member, answered, question, answer, rules, now);
    }

    private static Outcome<PermitReply> noted(
            NodeState booked,
            Member before,
            Member answered,
            PermitRequest question,
            PermitReply.Ruled answer,
            LedgerRules rules,
            Instant now) {
        var talk = answered.talk()
                .took(new Talk.Taken(question, answer), !answered.standing().migrating(), now);
        var claim = question.lastPermit().orElse(Resources.NONE);
        boolean overclaims =
                !trusts(before, rules) && claim.exceeds(before.amounts().reserved());
        if (!overclaims || talk.overclaimed()) {
            return Outcome.of(booked.withTalk(answered.with(talk)), answer);
        }
        return Outcome.<PermitReply>of(booked.withTalk(answered.with(talk.toldOfOverclaim())), answer)
                .noting(new LedgerNotice.Overclaimed(
                        before.who(), before.amounts().reserved(), claim));
    }

    private static KindRule.Decision decide(
            NodeState state,
            Member member,
            PermitRequest question,
            Resources held,
            Resources lastPermit,
            boolean moving,
            ResourceKind kind) {
        return KindRule.decide(new KindRule.Question(
                held.of(kind),
                question.target().of(kind),
                member.limits().max().of(kind),
                question.computeUnit().of(kind),
                lastPermit.of(kind),
                remaining(state, member, kind),
                moving));
    }

    private static KindRuling ruling(
            NodeState before,
            NodeState after,
            Member member,
            PermitRequest question,
            Resources held,
            KindRule.Decision decision,
            ResourceKind kind) {
        return new KindRuling(
                decision.verdict(),
                held.of(kind),
                question.target().of(kind),
                decision.permit(),
                remaining(before, member, kind),
                after.sums().reserved().of(kind),
                after.size().total().of(kind));
    }

    private static long remaining(NodeState state, Member member, ResourceKind kind) {
        return Kinds.forMember(state.remaining().of(kind), member.amounts().overcommit(), kind);
    }
}
