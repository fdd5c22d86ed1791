package io.sluice.pressure;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.actions.MigrationOutcome;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.Obstacle;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of this role. Series whose tags are known in advance start at zero. */
final class PressureMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger hanging = new AtomicInteger();
    private final AtomicInteger pressed = new AtomicInteger();
    private final AtomicInteger resting = new AtomicInteger();
    private final AtomicInteger leading = new AtomicInteger();
    private final Counter orphanMarks;

    PressureMetrics(MeterRegistry registry) {
        this.registry = registry;
        gauge("migrations.underway", "Migrations under way, those being arranged included", underWay);
        gauge("migrations.hanging", "Migrations that another party began longer ago than completionTimeout", hanging);
        gauge("nodes.pressed", "Nodes that VMs should leave", pressed);
        gauge("vms.resting", "VMs in cooldown after a migration", resting);
        gauge("leading", "Whether this process leads", leading);
        orphanMarks = Counter.builder("sluice.pressure.marks.orphaned")
                .description("Marks that were removed because no attempt of them was found")
                .register(registry);
        for (var outcome : MigrationOutcome.values()) {
            ended(outcome);
        }
        for (var obstacle : Obstacle.values()) {
            none(obstacle);
        }
        for (var kind : PressureDecision.Kind.values()) {
            decisions(kind);
        }
    }

    private void gauge(String name, String help, AtomicInteger value) {
        Gauge.builder("sluice.pressure." + name, value, AtomicInteger::get)
                .description(help)
                .register(registry);
    }

    /** Sets whether this process leads, and resets the other gauges. */
    void leads(boolean now) {
        leading.set(now ? 1 : 0);
        underWay.set(0);
        hanging.set(0);
        pressed.set(0);
        resting.set(0);
    }

    /** Sets the gauges to the present state. */
    void show(Pressure pressure) {
        underWay.set(pressure.underWay());
        hanging.set(pressure.hanging().size());
        pressed.set(pressure.pressedNodes());
        resting.set(pressure.resting());
    }

    void decided(PressureDecision decision) {
        decisions(decision.kind()).increment();
    }

    private Counter decisions(PressureDecision.Kind kind) {
        return counter("decisions", "Decisions that were published", "kind", lower(kind.name()));
    }

    void noticed(PressureNotice notice) {
        switch (notice) {
            case PressureNotice.Ended ended -> ended(ended.outcome()).increment();
            case PressureNotice.NoneMoves decision -> none(decision.cause()).increment();
            case PressureNotice.HoldRefused refused ->
                counter("holds.refused", "Holds that the ledger refused", "reason", name(refused.reply()))
                        .increment();
            case PressureNotice.MarkRefused refused ->
                counter("marks.refused", "Marks that the ledger refused", "reason", name(refused.reply()))
                        .increment();
            case PressureNotice.NoAnswer lost ->
                counter(
                                "replies.lost",
                                "Requests without a reply, or with one that is in doubt; they are repeated",
                                "request",
                                lost.request().word())
                        .increment();
            case PressureNotice.OrphanMarkFound _ -> orphanMarks.increment();
            case PressureNotice.TooMany many ->
                counter("observations.dropped", "Observations beyond the limit", "what", many.what())
                        .increment();
        }
    }

    private Counter ended(MigrationOutcome outcome) {
        return counter("migrations", "Migrations that ended, by outcome", "outcome", lower(outcome.name()));
    }

    private Counter none(Obstacle cause) {
        return counter(
                "none.moves",
                "Examinations of nodes under pressure that found no VM to migrate",
                "cause",
                lower(cause.name()));
    }

    private Counter counter(String name, String help, String tag, String value) {
        return Counter.builder("sluice.pressure." + name)
                .description(help)
                .tag(tag, value)
                .register(registry);
    }

    private static String name(HoldReply reply) {
        return switch (reply) {
            case HoldReply.NoRoom _ -> "no_room";
            case HoldReply.NoDevice _ -> "no_device";
            case HoldReply.RoomKept _ -> "room_kept";
            case HoldReply.NotReady _ -> "not_ready";
            case HoldReply.StateReplaced _ -> "state_replaced";
            case HoldReply.NodeNotReady _ -> "node_not_ready";
            case HoldReply.Overflow _ -> "overflow";
            case HoldReply.Gone _ -> "gone";
            case HoldReply.AttemptOver _ -> "attempt_over";
            case HoldReply.OfAnother _ -> "of_another";
            case HoldReply.Held _, HoldReply.Bound _, HoldReply.Released _, HoldReply.NoSuchHold _ -> "other";
        };
    }

    private static String name(MarkReply reply) {
        return switch (reply) {
            case MarkReply.NotPressed _ -> "not_pressed";
            case MarkReply.Outgrown _ -> "outgrown";
            case MarkReply.Refused refused -> lower(refused.cause().name());
            case MarkReply.Marked _, MarkReply.Unmarked _ -> "other";
        };
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
