package io.sluice.ledger.core;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.UnmarkMigrating;
import java.time.Instant;
import java.util.Optional;

/** The begin and the end of a migration, on the node that the member leaves. */
final class MigrationMarkRules {
    private MigrationMarkRules() {}

    static CommandOutcome<MarkReply> mark(NodeState state, MarkMigrating question, LedgerRules rules, Instant now) {
        var found = state.members().find(question.member());
        if (found.isEmpty()) {
            return refused(state, RefusalCause.MEMBER_UNKNOWN);
        }
        var member = found.get();
        if (!member.who().runsVm()) {
            return refused(state, RefusalCause.NOT_A_VM);
        }
        var mark = new MigrationMark(question.attempt(), question.cause() == MarkMigrating.Cause.UNDER_WAY);
        var standing = member.standing().mark(mark.attempt());
        if (standing.isPresent()) {
            return again(state, member, standing.get(), mark);
        }
        if (state.gone().ended(mark.attempt())) {
            return refused(state, RefusalCause.ATTEMPT_OVER);
        }
        return unready(state, question)
                .or(() -> weighed(state, member, question, rules, now))
                .map(reply -> CommandOutcome.of(state, reply))
                .orElseGet(() -> marked(state, member, mark, rules, now));
    }

    /** All that a repeat may bring is that the migration's object was seen by now. */
    private static CommandOutcome<MarkReply> again(
            NodeState state, Reservation member, MigrationMark known, MigrationMark mark) {
        boolean news = mark.begun() && !known.begun();
        return CommandOutcome.of(
                news ? state.with(member.with(member.standing().with(mark))) : state,
                new MarkReply.Marked(member.amounts().reserved()));
    }

    /** A node that is not ready may be back soon, and what runs there can hardly be moved. */
    private static Optional<MarkReply> unready(NodeState state, MarkMigrating question) {
        boolean begins = question.cause() != MarkMigrating.Cause.UNDER_WAY;
        return begins && state.size().notReady().isPresent()
                ? Optional.of(new MarkReply.Refused(RefusalCause.NODE_NOT_READY))
                : Optional.empty();
    }

    /** What keeps the member from being marked; empty where nothing does. */
    private static Optional<MarkReply> weighed(
            NodeState state, Reservation member, MarkMigrating question, LedgerRules rules, Instant now) {
        boolean toBegin =
                question.cause() == MarkMigrating.Cause.PRESSURE || question.cause() == MarkMigrating.Cause.ALWAYS;
        int marks = member.standing().marks().size();
        if (toBegin && marks > 0 || marks >= ReservationStatus.MARKS_MAX) {
            return Optional.of(new MarkReply.Refused(RefusalCause.ALREADY_MOVING));
        }
        return switch (question.cause()) {
            case UNDER_WAY, BEGINNING -> Optional.empty();
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
    private static Optional<MarkReply> unmovable(Reservation member, boolean allowed, LedgerRules rules, Instant now) {
        if (ExpiryRules.mayUsePermitsOfLostBooks(member, rules, now)) {
            return Optional.of(new MarkReply.Refused(RefusalCause.RECOVERED));
        }
        boolean runsHere = !member.standing().held() && member.seen().vm().isPresent();
        return allowed && runsHere ? Optional.empty() : Optional.of(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    private static Optional<MarkReply> unpressed(NodeState state) {
        var books = LedgerView.summary(state, 0);
        return books.underPressure()
                ? Optional.empty()
                : Optional.of(new MarkReply.NotPressed(PressureNumbers.of(books)));
    }

    /** What counts is what will be reserved once the mark has given the buffer back: nothing else has to fit. */
    private static Optional<MarkReply> outgrown(
            Reservation member, MarkMigrating question, LedgerRules rules, Instant now) {
        var reserved = begun(member, rules, now).amounts().reserved();
        return reserved.exceeds(question.room()) ? Optional.of(new MarkReply.Outgrown(reserved)) : Optional.empty();
    }

    private static CommandOutcome<MarkReply> marked(
            NodeState state, Reservation member, MigrationMark mark, LedgerRules rules, Instant now) {
        var begun = begun(member, rules, now);
        begun = begun.with(begun.standing().with(mark));
        return CommandOutcome.of(
                state.with(begun), new MarkReply.Marked(begun.amounts().reserved()));
    }

    /** The buffer goes back to the node, unless permits of lost books may still draw on it. */
    private static Reservation begun(Reservation member, LedgerRules rules, Instant now) {
        var amounts = ExpiryRules.mayUsePermitsOfLostBooks(member, rules, now)
                ? member.amounts()
                : member.amounts().withoutBuffer();
        return member.with(amounts).with(member.talk().withoutLoad());
    }

    /** The marks of other migrations stay; whatever stood, that attempt is over. */
    static CommandOutcome<MarkReply> unmark(NodeState state, UnmarkMigrating question, Instant now) {
        var ended = state.with(state.gone().ending(question.attempt(), now));
        var found = ended.members().find(question.member());
        if (found.isEmpty()) {
            return refused(ended, RefusalCause.MEMBER_UNKNOWN);
        }
        var member = found.get();
        var next = member.standing().mark(question.attempt()).isPresent()
                ? ended.with(member.with(member.standing().withoutMark(question.attempt())))
                : ended;
        return CommandOutcome.of(next, new MarkReply.Unmarked(member.amounts().reserved()));
    }

    private static CommandOutcome<MarkReply> refused(NodeState state, RefusalCause cause) {
        return CommandOutcome.of(state, new MarkReply.Refused(cause));
    }
}
