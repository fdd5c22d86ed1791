package io.sluice.vectors;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Plays histories with overcommit factors, command by command. Their VMs have no limits. */
final class OvercommitPlayer {
    private static final Resources MIN = Resources.NONE;
    private static final Resources MAX = new Resources(1L << 53, 1L << 53);
    private static final Duration TTL = Duration.ofHours(1);

    private final Tally tally;
    private final Map<String, Resources> units = new HashMap<>();
    private Optional<LedgerNode> node = Optional.empty();

    OvercommitPlayer(Tally tally) {
        this.tally = tally;
    }

    void play(Recording.Line line) {
        var comparison = new Comparison(line);
        apply(line, comparison);
        if (line.json().path("differs").size() > 0) {
            tally.playedOnly();
            return;
        }
        compareState(line, comparison);
        tally.compared(comparison.differences());
    }

    private void apply(Recording.Line line, Comparison comparison) {
        var op = line.text("op");
        switch (op) {
            case "node" -> node = Optional.of(new LedgerNode(line.amount("total"), line.number("fraction")));
            case "resize" -> node(line).resize(line.amount("total"), line.number("fraction"));
            case "bind" -> bind(line);
            case "hold" -> hold(line, comparison);
            case "ask" -> request(line, comparison);
            case "overcommit" -> changed(line, reservation(line));
            case "mark" -> node(line).mark(line.text("m"));
            case "unmark" -> node(line).run(node(line).unmark(line.text("m")));
            case "remove" -> node(line).gone(line.text("m"));
            default -> throw line.malformed("no such op: " + op);
        }
    }

    private LedgerNode node(Recording.Line line) {
        return node.orElseThrow(() -> line.malformed("a history begins with op `node`"));
    }

    private Reservation reservation(Recording.Line line) {
        return node(line).reservation(line.text("m")).orElseThrow(() -> line.malformed("no such pod on the node"));
    }

    private void bind(Recording.Line line) {
        node(line)
                .run(new LedgerCommand.Bind(
                        LedgerNode.reservation(line.text("m"), true, line.amount("reserved"), factor(line))));
        observed(line);
    }

    private void hold(Recording.Line line, Comparison comparison) {
        var reservation = LedgerNode.reservation(line.text("m"), true, line.amount("reserved"), factor(line));
        var reply = node(line).run(new LedgerCommand.Hold(reservation, TTL));
        boolean accepted = reply instanceof HoldReply.Held;
        comparison.flag("accepted", accepted);
        if (accepted) {
            node(line).run(new LedgerCommand.Confirm(line.text("m")));
            observed(line);
        }
    }

    private void observed(Recording.Line line) {
        units.put(line.text("m"), line.amount("cu"));
        node(line).pod(line.text("m"), true, line.amount("reserved"));
        changed(line, reservation(line));
    }

    private void changed(Recording.Line line, Reservation reservation) {
        node(line)
                .vm(reservation.id(), MIN, MAX, reservation.amounts().reported(), true, VmPhase.RUNNING, factor(line));
    }

    private static Overcommit factor(Recording.Line line) {
        var milli = line.amount("overcommit");
        if (milli.hasZero()) {
            throw line.malformed("an overcommit factor is above zero");
        }
        return new Overcommit(milli.milliCpu(), milli.memoryBytes());
    }

    private void request(Recording.Line line, Comparison comparison) {
        var unit = Optional.ofNullable(units.get(line.text("m")))
                .orElseThrow(() -> line.malformed("requests before it exists"));
        var target = line.amount("target");
        var reply = node(line)
                .request(new LedgerNode.Request(
                        line.text("m"), target, unit, Optional.empty(), Optional.empty(), false));
        if (!(reply instanceof PermitReply.Ruled ruled)) {
            throw line.malformed("a permit request got the reply " + reply);
        }
        comparison.amount("permit", ruled.permit());
        comparison.flag("done", ruled.permit().equals(target));
    }

    private void compareState(Recording.Line line, Comparison comparison) {
        var state = node(line).state();
        var sums = state.sums();
        comparison.amount("watermark", state.size().watermark());
        comparison.amount("node.reserved", sums.reserved());
        comparison.amount("node.committed", sums.committed());
        comparison.amount("node.migrating", sums.migrating());
        comparison.amount(
                "excess",
                sums.reserved().minus(sums.migrating()).minus(state.size().watermark()));
        comparison.flag("over", sums.reserved().exceeds(state.size().total()));
        var reservation = line.has("m") ? state.reservations().find(line.text("m")) : Optional.<Reservation>empty();
        if (comparison.present("member", reservation.isPresent())) {
            comparison.amount("member.reserved", reservation.get().amounts().reserved());
            comparison.amount("member.requested", reservation.get().amounts().requested());
            comparison.amount("member.charge", reservation.get().amounts().charge());
            comparison.flag("member.migrating", reservation.get().status().migrating());
        }
    }
}
