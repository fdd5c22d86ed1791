package io.sluice.ledger.core;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.RefusalCause;
import java.time.Instant;
import java.util.Optional;

/** The begin and the end of a migration, on the node that the member leaves. */
final class Moving {
    private Moving() {}

    static Outcome<MarkReply> mark(NodeState state, MarkMigrating question, LedgerRules rules, Instant now) {
        var found = state.members().find(question.member());
        if (found.isEmpty()) {
            return refused(state, RefusalCause.MEMBER_UNKNOWN);
        }
        var member = found.get();
        if (!member.who().runsVm()) {
            return refused(state, RefusalCause.NOT_A_VM);
        }
        if (member.standing().migrating()) {
            return Outcome.of(state, new MarkReply.Marked(member.amounts().reserved()));
        }
        return weighed(state, member, question, rules, now)
                .map(reply -> Outcome.of(state, reply))
                .orElseGet(() -> marked(state, member, rules, now));
    }

    /** What keeps the member from being marked; empty where nothing does. */
    private static Optional<MarkReply> weighed(
            NodeState state, Member member, MarkMigrating question, LedgerRules rules, Instant now) {
        return switch (question.cause()) {
            case UNDER_WAY -> Optional.empty();
            case PRESSURE ->
                unmovable(
                                member,
                                member.limits().migratable() || member.limits().alwaysMigrate(),
                                rules,
                                now)
                        .or(() -> unpressed(state))
                        .or(() -> outgrown(member, question, rules, now));
            case ALWAYS ->
                unmovable(
                                member,
                                member.limits().alwaysMigrate()
                                        && member.talk().load1().isPresent(),
                                rules,
                                now)
                        .or(() -> outgrown(member, question, rules, now));
        };
    }

    /** Of a migration's target it is not known yet that its VM runs here. */
    private static Optional<MarkReply> unmovable(Member member, boolean allowed, LedgerRules rules, Instant now) {
        if (Passing.mayUsePermitsOfLostBooks(member, rules, now)) {
            return Optional.of(new MarkReply.Refused(RefusalCause.RECOVERED));
        }
        boolean runsHere = !member.standing().held() && member.seen().vm().isPresent();
        return allowed && runsHere ? Optional.empty() : Optional.of(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    private static Optional<MarkReply> unpressed(NodeState state) {
        var books = Books.summary(state, 0);
        return books.underPressure()
                ? Optional.empty()
                : Optional.of(new MarkReply.NotPressed(PressureNumbers.of(books)));
    }

    /** What counts is what will be reserved once the mark has given the buffer back: nothing else has to fit. */
    private static Optional<MarkReply> outgrown(Member member, MarkMigrating question, LedgerRules rules, Instant now) {
        var reserved = begun(member, rules, now).amounts().reserved();
        return reserved.exceeds(question.room()) ? Optional.of(new MarkReply.Outgrown(reserved)) : Optional.empty();
    }

    private static Outcome<MarkReply> marked(NodeState state, Member member, LedgerRules rules, Instant now) {
        var begun = begun(member, rules, now);
        return Outcome.of(
                state.with(begun), new MarkReply.Marked(begun.amounts().reserved()));
    }

    /** The buffer goes back to the node, unless permits of lost books may still draw on it. */
    private static Member begun(Member member, LedgerRules rules, Instant now) {
        var amounts = Passing.mayUsePermitsOfLostBooks(member, rules, now)
                ? member.amounts()
                : member.amounts().withoutBuffer();
        return member.with(amounts)
                .with(member.standing().moving(true))
                .with(member.talk().withoutLoad());
    }

    static Outcome<MarkReply> unmark(NodeState state, String id) {
        var found = state.members().find(id);
        if (found.isEmpty()) {
            return refused(state, RefusalCause.MEMBER_UNKNOWN);
        }
        var member = found.get();
        var next = member.standing().migrating()
                ? state.with(member.with(member.standing().moving(false)))
                : state;
        return Outcome.of(next, new MarkReply.Unmarked(member.amounts().reserved()));
    }

    private static Outcome<MarkReply> refused(NodeState state, RefusalCause cause) {
        return Outcome.of(state, new MarkReply.Refused(cause));
    }
}
