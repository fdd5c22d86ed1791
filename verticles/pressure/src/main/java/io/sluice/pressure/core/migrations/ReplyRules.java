package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.core.actions.ActionQueue;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.explain.PlacementReasons;
import java.time.Duration;
import java.util.Optional;

/** Applies the replies to a migration's requests. */
final class ReplyRules {
    /** A finalizer may delay the deletion. */
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

    /** Applies a reply. One without an open request, such as a repeat, changes nothing. */
    void take(long number, MigrationReply answer) {
        migration.hold().answered(number).ifPresent(request -> ofHold(request, answer));
        migration.mark().answered(number).ifPresent(request -> ofMark(request, answer));
        migration.driver().answered(number).ifPresent(request -> ofDriver(request, answer));
    }

    private void ofHold(MigrationRequest request, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfHold(var reply) -> ofHold(request, reply);
            case MigrationReply.Failed(var error) -> lost(migration.hold(), request, error);
            case MigrationReply.OfMark _, MigrationReply.OfMigrate _, MigrationReply.OfEnd _ ->
                throw mixedUp(request, answer);
        }
    }

    private void ofHold(MigrationRequest request, HoldReply reply) {
        switch (reply) {
            case HoldReply.Held(var remaining, var _) -> migration.held(remaining, out.next(), out.now());
            case HoldReply.Bound _ -> bound(request);
            case HoldReply.Released _, HoldReply.NoSuchHold _ -> noHold();
            case HoldReply.NoRoom _,
                    HoldReply.NoDevice _,
                    HoldReply.RoomKept _,
                    HoldReply.NotReady _,
                    HoldReply.StateReplaced _,
                    HoldReply.NodeNotReady _,
                    HoldReply.Gone _,
                    HoldReply.Overflow _,
                    HoldReply.AttemptOver _,
                    HoldReply.OfAnother _ -> noHold(request, reply);
        }
    }

    /** The pod that the room is for has taken it over, whether or not the pod was observed already. */
    private void bound(MigrationRequest request) {
        if (request instanceof MigrationRequest.Hold) {
            migration.held(rules.holdFor(), out.next(), out.now());
        } else {
            migration.hold().isGone();
        }
    }

    private void noHold() {
        migration.hold().isGone();
        pause(migration.hold(), DesiredStateRules.hold(migration));
    }

    /**
     * A refused hold does not exist, and one that cannot be released neither. A copy of the request may still arrive,
     * so it is released all the same.
     */
    private void noHold(MigrationRequest request, HoldReply reply) {
        var node = migration.about().to();
        migration.hold().isGone();
        if (!(request instanceof MigrationRequest.Hold)) {
            return;
        }
        migration.hold().mayBe();
        out.record(new PressureNotice.HoldRefused(node, reply));
        var reason = refusal(node, reply);
        if (shownBySums(reply)) {
            rooms.refused(node, out.next());
        } else {
            rooms.refused(node, reason, out.now());
        }
        migration.drop(reason);
        pause(migration.hold(), DesiredStateRules.hold(migration));
    }

    /** Whether the node's next sums show what the ledger refused for, or show that it has passed. */
    private static boolean shownBySums(HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom none -> none.shortOf().isNone();
            case HoldReply.NotReady _, HoldReply.StateReplaced _, HoldReply.AttemptOver _ -> true;
            case HoldReply.NoDevice _,
                    HoldReply.RoomKept _,
                    HoldReply.NodeNotReady _,
                    HoldReply.Gone _,
                    HoldReply.Overflow _,
                    HoldReply.OfAnother _,
                    HoldReply.Held _,
                    HoldReply.Bound _,
                    HoldReply.Released _,
                    HoldReply.NoSuchHold _ -> false;
        };
    }

    private static String refusal(String node, HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom none ->
                node + " is short of " + PlacementReasons.shortText(none.shortBy(), none.shortOf()) + ": "
                        + ChoiceText.amount(none.reserved()) + " of " + ChoiceText.amount(none.total())
                        + " is reserved";
            case HoldReply.RoomKept(var pod) -> node + " is left " + PlacementReasons.keptText(pod);
            case HoldReply.NoDevice(var misfit) -> node + " is " + PlacementReasons.deviceText(misfit);
            case HoldReply.NotReady none -> node + " " + sentence(none.cause());
            case HoldReply.StateReplaced _ -> "the ledger of " + node + " has lost its state since it was observed";
            case HoldReply.NodeNotReady _ -> node + " is not ready";
            case HoldReply.Overflow _ -> "the amounts on " + node + " do not fit into 64 bits";
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
            case NODE_INCOMPLETE -> "grants nothing: no full list has completed it yet";
            case NODE_UNKNOWN -> "is not in the ledger";
        };
    }

    private void ofMark(MigrationRequest request, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfMark(var reply) -> ofMark(request, reply);
            case MigrationReply.Failed(var error) -> lost(migration.mark(), request, error);
            case MigrationReply.OfHold _, MigrationReply.OfMigrate _, MigrationReply.OfEnd _ ->
                throw mixedUp(request, answer);
        }
    }

    private void ofMark(MigrationRequest request, MarkReply reply) {
        switch (reply) {
            case MarkReply.Marked(var reserved) -> migration.marked(reserved, out.next(), rules, out.now());
            case MarkReply.Unmarked _ -> {
                migration.mark().isGone();
                pause(migration.mark(), DesiredStateRules.mark(migration));
            }
            case MarkReply.NotPressed _ -> noMark(request, reply, Optional.empty());
            case MarkReply.Outgrown(var reserved) ->
                noMark(
                        request,
                        reply,
                        Optional.of("it grew to " + ChoiceText.amount(reserved)
                                + " before it was marked, beyond the room held for it"));
            case MarkReply.Refused(var cause) -> {
                migration.waitsAfterRefusal();
                if (cause == RefusalCause.ATTEMPT_OVER) {
                    migration.callOff("it was given up before its object came");
                }
                noMark(request, reply, Optional.of(cause.sentence()));
            }
        }
    }

    /**
     * A mark was refused. That the pressure has ended is not published. A copy of the request may still arrive, so the
     * mark is removed all the same.
     */
    private void noMark(MigrationRequest request, MarkReply reply, Optional<String> news) {
        var line = migration.mark();
        line.isGone();
        if (!(request instanceof MigrationRequest.Mark)) {
            return;
        }
        line.mayBe();
        out.record(new PressureNotice.MarkRefused(
                migration.source().map(MigrationSource::node).orElse(""), reply));
        migration.drop(news.orElse(""));
        pause(line, DesiredStateRules.mark(migration));
    }

    /** What was refused and is still needed is requested again a little later. */
    private void pause(RemoteState line, DesiredRemoteState wanted) {
        if (wanted == DesiredRemoteState.KEEP) {
            line.notBefore(out.now().plus(REFUSED_AGAIN));
        }
    }

    private void ofDriver(MigrationRequest request, MigrationReply answer) {
        switch (answer) {
            case MigrationReply.OfMigrate(var reply) -> ofMigrate(request, reply);
            case MigrationReply.OfEnd(var reply) -> ofEnd(request, reply);
            case MigrationReply.Failed(var error) -> lost(migration.driver(), request, error);
            case MigrationReply.OfHold _, MigrationReply.OfMark _ -> throw mixedUp(request, answer);
        }
    }

    private void ofMigrate(MigrationRequest request, MigrateReply reply) {
        switch (reply) {
            case MigrateReply.Begun(var uid, var version) -> migration.begun(uid, version, out.now());
            case MigrateReply.Refused(var reason) -> migration.refused(reason);
            case MigrateReply.InDoubt(var reason) -> lost(migration.driver(), request, reason);
        }
    }

    private void ofEnd(MigrationRequest request, EndReply reply) {
        switch (reply) {
            case EndReply.Ended _ -> {
                migration.driver().isGone();
                migration.driver().notBefore(out.now().plus(END_AGAIN));
            }
            case EndReply.Failed(var reason) -> lost(migration.driver(), request, reason);
        }
    }

    private void lost(RemoteState line, MigrationRequest request, String error) {
        line.lost(out.now());
        out.record(new PressureNotice.NoAnswer(migration.about().label(), request, error));
    }

    private static IllegalArgumentException mixedUp(MigrationRequest request, MigrationReply answer) {
        return new IllegalArgumentException("a request to " + request.word() + " got the reply " + answer);
    }
}
