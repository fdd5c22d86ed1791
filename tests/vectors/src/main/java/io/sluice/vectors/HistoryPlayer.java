package io.sluice.vectors;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NewReservation;
import io.sluice.ledger.core.NodePressure;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.RefusalCause;
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

    /** Whom an answer told to move, and who has not moved since: it is not told a second time. */
    private final Set<String> toldToMove = new HashSet<>();

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
            case "ask" -> ask(line);
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
        toldToMove.remove(line.text("m"));
        node(line).run(node(line).unmark(line.text("m")));
    }

    private void remove(Recording.Line line) {
        toldToMove.remove(line.text("m"));
        node(line).gone(line.text("m"));
    }

    private Result restart(Recording.Line line) {
        double fraction =
                line.has("fraction") ? line.number("fraction") : node(line).fraction();
        node = Optional.of(new LedgerNode(line.amount("total"), fraction));
        queue.clear();
        toldToMove.clear();
        return comparison ->
                comparison.amount("watermark", node.get().state().size().watermark());
    }

    private Result add(Recording.Line line) {
        var name = line.text("m");
        if (node(line).member(name).isPresent()) {
            return new Answer(OK);
        }
        boolean runsVm = line.text("kind").equals("vm");
        var booking = LedgerNode.booking(name, runsVm, line.amount("use"), Overcommit.OFF);
        var how = line.text("how");
        return switch (how) {
            case "hold" -> held(line, node(line).run(new LedgerCommand.Hold(booking, TTL)));
            case "bind" -> bound(line, booking);
            case "listed" -> isFound(line) ? seen(line) : bound(line, booking);
            default -> throw line.malformed("no such how: " + how);
        };
    }

    /**
     * Only such a VM counts at its maximum; all others that are found running count at their use, as if bound by us.
     */
    private static boolean isFound(Recording.Line line) {
        return line.text("kind").equals("vm") && line.flag("own") && line.flag("scaling");
    }

    private Result held(Recording.Line line, HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom(var shortBy, var _, var _) ->
                new Answer(CONFLICT, Optional.empty(), Optional.of(shortBy), false);
            case HoldReply.Held _ -> {
                node(line).run(new LedgerCommand.Confirm(line.text("m")));
                yield seen(line);
            }
            case HoldReply.Bound _,
                    HoldReply.Released _,
                    HoldReply.NoSuchHold _,
                    HoldReply.NotReady _,
                    HoldReply.NodeNotReady _,
                    HoldReply.Gone _,
                    HoldReply.AttemptOver _,
                    HoldReply.OfAnother _,
                    HoldReply.Overflow _ -> throw line.malformed("a hold was answered " + reply);
        };
    }

    private Result bound(Recording.Line line, NewReservation booking) {
        node(line).run(new LedgerCommand.Bind(booking));
        return seen(line);
    }

    private Result seen(Recording.Line line) {
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
     * The VM's object changes: it uses what the books know of, unless the line says otherwise. After a command in which
     * ours differs on purpose the member may not be there.
     */
    private void change(Recording.Line line, boolean keepsScaling) {
        var name = line.text("m");
        var known = node(line).member(name);
        if (known.isEmpty()) {
            return;
        }
        var limits = known.get().limits();
        var use = line.has("use") ? line.amount("use") : known.get().amounts().told();
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

    private Result ask(Recording.Line line) {
        var lastPermit = line.has("lastPermit") ? Optional.of(line.amount("lastPermit")) : Optional.<Resources>empty();
        var load = line.has("load") ? Optional.of((float) line.number("load")) : Optional.<Float>empty();
        boolean begins = line.flag("starts") && !toldToMove.contains(line.text("m"));
        var reply = node(line)
                .ask(new LedgerNode.Question(
                        line.text("m"), line.amount("target"), line.amount("cu"), lastPermit, load, begins));
        return switch (reply) {
            case PermitReply.Ruled ruled -> {
                boolean moves = begins && ruled.migrating();
                if (moves) {
                    toldToMove.add(line.text("m"));
                }
                yield new Answer(OK, Optional.of(ruled.permit()), Optional.empty(), moves);
            }
            case PermitReply.Refused(var cause) -> new Answer(status(cause));
            case PermitReply.Late _,
                    PermitReply.Superseded _,
                    PermitReply.OpenAgain _,
                    PermitReply.SeqReused _,
                    PermitReply.NotReady _ -> throw line.malformed("a question was answered " + reply);
        };
    }

    private static int status(RefusalCause cause) {
        return switch (cause) {
            case MEMBER_UNKNOWN -> NOT_FOUND;
            case NOT_A_VM,
                    ZERO_COMPUTE_UNIT,
                    ZERO_TARGET,
                    OVERFLOW,
                    NOT_MIGRATABLE,
                    RECOVERED,
                    NODE_NOT_READY,
                    ALREADY_MOVING,
                    ATTEMPT_OVER -> BAD_REQUEST;
        };
    }

    private void compareState(Recording.Line line, Comparison comparison) {
        var state = node(line).state();
        var pressure = NodePressure.of(state);
        comparison.amount("node.reserved", state.sums().reserved());
        comparison.amount("node.buffer", state.sums().buffer());
        comparison.amount("node.pressure", state.sums().capacityPressure());
        comparison.amount("node.accounted", state.sums().accountedPressure());
        var member = line.has("m") ? state.members().find(line.text("m")) : Optional.<Reservation>empty();
        if (comparison.present("member", member.isPresent())) {
            compareMember(member.get(), comparison);
        }
        comparison.flag("tooMuch", pressure.tooMuch());
        comparison.flag("clear", pressure.clear());
        comparison.amount("logical", Optional.of(pressure.logical()).filter(_ -> !pressure.clear()));
        comparison.amount("slack", Optional.of(pressure.slack()).filter(_ -> !pressure.clear()));
        comparison.name("next", queue.head(state));
    }

    private static void compareMember(Reservation member, Comparison comparison) {
        comparison.amount("member.reserved", member.amounts().reserved());
        comparison.amount("member.buffer", member.amounts().buffer());
        comparison.amount("member.pressure", member.amounts().pressure());
        comparison.amount("member.min", member.limits().min());
        comparison.amount("member.max", member.limits().max());
        comparison.flag("member.migrating", member.standing().migrating());
    }

    /** What a command answered beside the state. */
    @FunctionalInterface
    private interface Result {
        /** No result of its own. */
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
