package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.PressureRules;
import java.time.Duration;
import java.util.Optional;

/** Takes what was answered to a migration's questions. */
final class ReplyRules {
    /** A finalizer may take a while. */
    private static final Duration END_AGAIN = Duration.ofSeconds(30);

    private static final Duration REFUSED_AGAIN = Duration.ofSeconds(5);

    private final Migration migration;
    private final NodeRooms rooms;
    private final PressureRules rules;
    private final ActionQueue out;

    ReplyRules(Migration migration, NodeRooms rooms, PressureRules rules, ActionQueue out) {
        this.migration = migration;
        this.rooms = rooms;
        this.rules = rules;
        this.out = out;
    }

    /** An answer to a question that is not open, as one that came twice, changes nothing. */
    void take(long number, MigrationReply answer) {
        migration.hold().answered(number).ifPresent(question -> ofHold(question, answer));
        migration.mark().answered(number).ifPresent(question -> ofMark(question, answer));
        migration.driver().answered(number).ifPresent(question -> ofDriver(question, answer));
    }

    private void ofHold(MigrationRequest question, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfHold(var reply) -> ofHold(question, reply);
            case MigrationReply.Failed(var error) -> lost(migration.hold(), question, error);
            case MigrationReply.OfMark _, MigrationReply.OfMigrate _, MigrationReply.OfEnd _ ->
                throw mixedUp(question, answer);
        }
    }

    private void ofHold(MigrationRequest question, HoldReply reply) {
        switch (reply) {
            case HoldReply.Held(var remaining) -> migration.held(remaining, out.next(), out.now());
            case HoldReply.Bound _ -> bound(question);
            case HoldReply.Released _, HoldReply.NoSuchHold _ -> noHold();
            case HoldReply.NoRoom _,
                    HoldReply.NotReady _,
                    HoldReply.NodeNotReady _,
                    HoldReply.Gone _,
                    HoldReply.Overflow _,
                    HoldReply.AttemptOver _,
                    HoldReply.OfAnother _ -> noHold(question, reply);
        }
    }

    /** The pod that the room is for has taken it over, whether or not that was heard already. */
    private void bound(MigrationRequest question) {
        if (question instanceof MigrationRequest.Hold) {
            migration.held(rules.holdFor(), out.next(), out.now());
        } else {
            migration.hold().isGone();
        }
    }

    private void noHold() {
        migration.hold().isGone();
        pause(migration.hold(), DesiredStateRules.hold(migration));
    }

    /** What cannot be released is not held. A copy of the question may still be heard: it is released all the same. */
    private void noHold(MigrationRequest question, HoldReply reply) {
        var node = migration.about().to();
        migration.hold().isGone();
        if (!(question instanceof MigrationRequest.Hold)) {
            return;
        }
        migration.hold().mayBe();
        out.note(new PressureNotice.HoldRefused(node, reply));
        rooms.refused(node, out.next());
        migration.drop(refusal(node, reply));
        pause(migration.hold(), DesiredStateRules.hold(migration));
    }

    private static String refusal(String node, HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom none ->
                node + " is short of " + ChoiceText.kinds(none.shortBy()) + ": " + ChoiceText.amount(none.reserved())
                        + " of " + ChoiceText.amount(none.total()) + " is reserved";
            case HoldReply.NotReady none -> node + " " + sentence(none.cause());
            case HoldReply.NodeNotReady _ -> node + " is not ready";
            case HoldReply.Overflow _ -> "the amounts on " + node + " are beyond what can be counted";
            case HoldReply.OfAnother _ -> node + " still holds room for an earlier attempt";
            case HoldReply.AttemptOver _,
                    HoldReply.Gone _,
                    HoldReply.Held _,
                    HoldReply.Bound _,
                    HoldReply.Released _,
                    HoldReply.NoSuchHold _ -> node + " does not hold room for it";
        };
    }

    private static String sentence(NotReadyCause cause) {
        return switch (cause) {
            case NODE_INCOMPLETE -> "grants nothing: its members were not listed yet";
            case NODE_UNKNOWN -> "is unknown to the ledger";
        };
    }

    private void ofMark(MigrationRequest question, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfMark(var reply) -> ofMark(question, reply);
            case MigrationReply.Failed(var error) -> lost(migration.mark(), question, error);
            case MigrationReply.OfHold _, MigrationReply.OfMigrate _, MigrationReply.OfEnd _ ->
                throw mixedUp(question, answer);
        }
    }

    private void ofMark(MigrationRequest question, MarkReply reply) {
        switch (reply) {
            case MarkReply.Marked(var reserved) -> migration.marked(reserved, out.next(), rules, out.now());
            case MarkReply.Unmarked _ -> {
                migration.mark().isGone();
                pause(migration.mark(), DesiredStateRules.mark(migration));
            }
            case MarkReply.NotPressed _ -> noMark(question, reply, Optional.empty());
            case MarkReply.Outgrown(var reserved) ->
                noMark(
                        question,
                        reply,
                        Optional.of("it grew to " + ChoiceText.amount(reserved)
                                + " before it was marked, beyond the room held for it"));
            case MarkReply.Refused(var cause) -> {
                migration.waitsAfterRefusal();
                if (cause == RefusalCause.ATTEMPT_OVER) {
                    migration.callOff("it was given up before its object came");
                }
                noMark(question, reply, Optional.of(cause.sentence()));
            }
        }
    }

    /**
     * Whoever left the pressure behind in the meantime is no news. A copy of the question may still be heard: what it
     * would mark is taken back.
     */
    private void noMark(MigrationRequest question, MarkReply reply, Optional<String> news) {
        var line = migration.mark();
        line.isGone();
        if (!(question instanceof MigrationRequest.Mark)) {
            return;
        }
        line.mayBe();
        out.note(new PressureNotice.MarkRefused(
                migration.source().map(MigrationSource::node).orElse(""), reply));
        migration.drop(news.orElse(""));
        pause(line, DesiredStateRules.mark(migration));
    }

    /** What was refused and is still wanted may be had a little later. */
    private void pause(RemoteState line, DesiredRemoteState wanted) {
        if (wanted == DesiredRemoteState.KEEP) {
            line.notBefore(out.now().plus(REFUSED_AGAIN));
        }
    }

    private void ofDriver(MigrationRequest question, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfMigrate(var reply) -> ofMigrate(question, reply);
            case MigrationReply.OfEnd(var reply) -> ofEnd(question, reply);
            case MigrationReply.Failed(var error) -> lost(migration.driver(), question, error);
            case MigrationReply.OfHold _, MigrationReply.OfMark _ -> throw mixedUp(question, answer);
        }
    }

    private void ofMigrate(MigrationRequest question, MigrateReply reply) {
        switch (reply) {
            case MigrateReply.Begun(var uid, var version) -> migration.begun(uid, version, out.now());
            case MigrateReply.Refused(var reason) -> migration.refused(reason);
            case MigrateReply.InDoubt(var reason) -> lost(migration.driver(), question, reason);
        }
    }

    private void ofEnd(MigrationRequest question, EndReply reply) {
        switch (reply) {
            case EndReply.Ended _ -> {
                migration.driver().isGone();
                migration.driver().notBefore(out.now().plus(END_AGAIN));
            }
            case EndReply.Failed(var reason) -> lost(migration.driver(), question, reason);
        }
    }

    private void lost(RemoteState line, MigrationRequest question, String error) {
        line.lost(out.now());
        out.note(new PressureNotice.NoAnswer(migration.about().label(), question, error));
    }

    private static IllegalArgumentException mixedUp(MigrationRequest question, MigrationReply answer) {
        return new IllegalArgumentException("a question to " + question.word() + " was answered " + answer);
    }
}
