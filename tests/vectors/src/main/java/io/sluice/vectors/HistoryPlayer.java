package io.sluice.vectors;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodePressure;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Plays histories with buffers and pressure, command by command. */
final class HistoryPlayer {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final Duration TTL = Duration.ofHours(1);

    private final Tally tally;
    private final Queue queue = new Queue();

    /** The VMs that a reply reported as migrating, and that have not migrated since: the report is not repeated. */
    private final Set<String> reportedToMove = new HashSet<>();

    private Optional<LedgerNode> node = Optional.empty();

    HistoryPlayer(Tally tally) {
        this.tally = tally;
    }

    void play(Recording.Line line) {
        var result = apply(line);
        queue.follow(line, node(line).state());
        if (line.json().path("differs").size() > 0) {
            tally.playedOnly();
            return;
        }
        var comparison = new Comparison(line);
        result.compare(comparison);
        compareState(line, comparison);
        tally.compared(comparison.differences());
    }

    private Result apply(Recording.Line line) {
        var op = line.text("op");
        return switch (op) {
            case "node", "restart" -> restart(line);
            case "add" -> add(line);
            case "ask" -> request(line);
            case "mark" -> done(() -> node(line).mark(line.text("m")));
            case "unmark" -> done(() -> unmark(line));
            case "remove" -> done(() -> remove(line));
            case "disable" -> done(() -> change(line, false));
            case "usage", "limits" -> done(() -> change(line, true));
            default -> throw line.malformed("no such op: " + op);
        };
    }

    private LedgerNode node(Recording.Line line) {
        return node.orElseThrow(() -> line.malformed("a history begins with op `node`"));
    }

    private static Result done(Runnable command) {
        command.run();
        return Result.SILENT;
    }

    private void unmark(Recording.Line line) {
        reportedToMove.remove(line.text("m"));
        node(line).run(node(line).unmark(line.text("m")));
    }

    private void remove(Recording.Line line) {
        reportedToMove.remove(line.text("m"));
        node(line).gone(line.text("m"));
    }

    private Result restart(Recording.Line line) {
        double fraction =
                line.has("fraction") ? line.number("fraction") : node(line).fraction();
        node = Optional.of(new LedgerNode(line.amount("total"), fraction));
        queue.clear();
        reportedToMove.clear();
        return comparison ->
                comparison.amount("watermark", node.get().state().size().watermark());
    }

    private Result add(Recording.Line line) {
        var name = line.text("m");
        if (node(line).reservation(name).isPresent()) {
            return new Answer(OK);
        }
        boolean runsVm = line.text("kind").equals("vm");
        var reservation = LedgerNode.reservation(name, runsVm, line.amount("use"), Overcommit.OFF);
        var how = line.text("how");
        return switch (how) {
            case "hold" -> held(line, node(line).run(new LedgerCommand.Hold(reservation, TTL)));
            case "bind" -> bound(line, reservation);
            case "listed" -> isFound(line) ? observed(line) : bound(line, reservation);
            default -> throw line.malformed("no such how: " + how);
        };
    }

    /**
     * Whether it is a VM that counts at its maximum; all others that are found running count at their use, as if bound.
     */
    private static boolean isFound(Recording.Line line) {
        return line.text("kind").equals("vm") && line.flag("own") && line.flag("scaling");
    }

    private Result held(Recording.Line line, HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom(var shortBy, var _, var _, var _) ->
                new Answer(CONFLICT, Optional.empty(), Optional.of(shortBy), false);
            case HoldReply.Held _ -> {
                node(line).run(new LedgerCommand.Confirm(line.text("m")));
                yield observed(line);
            }
            case HoldReply.Bound _,
                    HoldReply.Released _,
                    HoldReply.NoSuchHold _,
                    HoldReply.NoDevice _,
                    HoldReply.RoomKept _,
                    HoldReply.NotReady _,
                    HoldReply.StateReplaced _,
                    HoldReply.NodeNotReady _,
                    HoldReply.Gone _,
                    HoldReply.AttemptOver _,
                    HoldReply.OfAnother _,
                    HoldReply.Overflow _ -> throw line.malformed("a hold got the reply " + reply);
        };
    }

    private Result bound(Recording.Line line, NewReservation reservation) {
        node(line).run(new LedgerCommand.Bind(reservation));
        return observed(line);
    }

    private Result observed(Recording.Line line) {
        var name = line.text("m");
        var use = line.amount("use");
        boolean runsVm = line.text("kind").equals("vm");
        node(line).pod(name, runsVm, use);
        if (runsVm) {
            var phase = line.flag("moving") ? VmPhase.MIGRATING : VmPhase.RUNNING;
            node(line)
                    .vm(name, line.amount("min"), line.amount("max"), use, line.flag("scaling"), phase, Overcommit.OFF);
        }
        return new Answer(OK);
    }

    /**
     * Changes the VM's object: it uses what the ledger reserves, unless the line names another amount. After a command
     * that is marked as differing the reservation may not exist.
     */
    private void change(Recording.Line line, boolean keepsScaling) {
        var name = line.text("m");
        var known = node(line).reservation(name);
        if (known.isEmpty()) {
            return;
        }
        var limits = known.get().limits();
        var use = line.has("use") ? line.amount("use") : known.get().amounts().reported();
        node(line).pod(name, true, use);
        node(line)
                .vm(
                        name,
                        line.has("min") ? line.amount("min") : limits.min(),
                        line.has("max") ? line.amount("max") : limits.max(),
                        use,
                        keepsScaling && limits.autoscaled(),
                        VmPhase.RUNNING,
                        Overcommit.OFF);
    }

    private Result request(Recording.Line line) {
        var lastPermit = line.has("lastPermit") ? Optional.of(line.amount("lastPermit")) : Optional.<Resources>empty();
        var load = line.has("load") ? Optional.of((float) line.number("load")) : Optional.<Float>empty();
        boolean begins = line.flag("starts") && !reportedToMove.contains(line.text("m"));
        var reply = node(line)
                .request(new LedgerNode.Request(
                        line.text("m"), line.amount("target"), line.amount("cu"), lastPermit, load, begins));
        return switch (reply) {
            case PermitReply.Ruled ruled -> {
                boolean moves = begins && ruled.migrating();
                if (moves) {
                    reportedToMove.add(line.text("m"));
                }
                yield new Answer(OK, Optional.of(ruled.permit()), Optional.empty(), moves);
            }
            case PermitReply.Refused(var cause) -> new Answer(status(cause));
            case PermitReply.Late _,
                    PermitReply.Superseded _,
                    PermitReply.OpenAgain _,
                    PermitReply.SeqReused _,
                    PermitReply.NotReady _ -> throw line.malformed("a permit request got the reply " + reply);
        };
    }

    private static int status(RefusalCause cause) {
        return switch (cause) {
            case POD_UNKNOWN -> NOT_FOUND;
            case NOT_A_VM,
                    ZERO_COMPUTE_UNIT,
                    ZERO_TARGET,
                    OVERFLOW,
                    NOT_MIGRATABLE,
                    RECOVERED,
                    NODE_NOT_READY,
                    ALREADY_MOVING,
                    ATTEMPT_OVER,
                    VM_UNOBSERVED -> BAD_REQUEST;
        };
    }

    private void compareState(Recording.Line line, Comparison comparison) {
        var state = node(line).state();
        var pressure = NodePressure.of(state);
        comparison.amount("node.reserved", state.sums().reserved());
        comparison.amount("node.buffer", state.sums().buffer());
        comparison.amount("node.pressure", state.sums().capacityPressure());
        comparison.amount("node.accounted", state.sums().accountedPressure());
        var reservation = line.has("m") ? state.reservations().find(line.text("m")) : Optional.<Reservation>empty();
        if (comparison.present("member", reservation.isPresent())) {
            compareMember(reservation.get(), comparison);
        }
        comparison.flag("tooMuch", pressure.tooMuch());
        comparison.flag("clear", pressure.clear());
        comparison.amount("logical", Optional.of(pressure.logical()).filter(_ -> !pressure.clear()));
        comparison.amount("slack", Optional.of(pressure.slack()).filter(_ -> !pressure.clear()));
        comparison.name("next", queue.head(state));
    }

    private static void compareMember(Reservation reservation, Comparison comparison) {
        comparison.amount("member.reserved", reservation.amounts().reserved());
        comparison.amount("member.buffer", reservation.amounts().buffer());
        comparison.amount("member.pressure", reservation.amounts().pressure());
        comparison.amount("member.min", reservation.limits().min());
        comparison.amount("member.max", reservation.limits().max());
        comparison.flag("member.migrating", reservation.status().migrating());
    }

    /** What a command replied besides the state. */
    @FunctionalInterface
    private interface Result {
        /** No reply of its own. */
        Result SILENT = comparison -> {};

        void compare(Comparison comparison);
    }

    private record Answer(int status, Optional<Resources> permit, Optional<Resources> shortBy, boolean moves)
            implements Result {
        Answer(int status) {
            this(status, Optional.empty(), Optional.empty(), false);
        }

        @Override
        public void compare(Comparison comparison) {
            comparison.number("r.status", Optional.of(status));
            comparison.amount("r.permit", permit);
            comparison.amount("r.short", shortBy);
            comparison.flag("r.migrate", moves);
        }
    }
}
