package io.sluice.pressure;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.choice.Obstacle;
import io.sluice.pressure.core.migrations.MigrationOutcome;
import io.sluice.pressure.core.migrations.PressureNotice;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of this role. What can be named before it happens is there from the start, at zero. */
final class PressureMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger hanging = new AtomicInteger();
    private final AtomicInteger pressed = new AtomicInteger();
    private final AtomicInteger resting = new AtomicInteger();
    private final AtomicInteger leading = new AtomicInteger();
    private final Counter loneMarks;

    PressureMetrics(MeterRegistry registry) {
        this.registry = registry;
        gauge("migrations.underway", "Migrations under way, those being arranged included", underWay);
        gauge(
                "migrations.hanging",
                "Migrations that somebody else began, and that are there for longer than completionTimeout",
                hanging);
        gauge("nodes.pressed", "Nodes that VMs should leave", pressed);
        gauge("vms.resting", "VMs that stay where they are for a while after a migration", resting);
        gauge("leading", "Whether this process, and none of the others, watches for full nodes", leading);
        loneMarks = Counter.builder("sluice.pressure.marks.alone")
                .description("Marks taken back as no migration of their VM was known")
                .register(registry);
        for (var outcome : MigrationOutcome.values()) {
            ended(outcome);
        }
        for (var obstacle : Obstacle.values()) {
            nobody(obstacle);
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

    /** Whoever leads no more knows nothing any more. */
    void leads(boolean now) {
        leading.set(now ? 1 : 0);
        underWay.set(0);
        hanging.set(0);
        pressed.set(0);
        resting.set(0);
    }

    /** How things stand now. */
    void show(Pressure pressure) {
        underWay.set(pressure.underWay());
        hanging.set(pressure.hanging());
        pressed.set(pressure.pressedNodes());
        resting.set(pressure.resting());
    }

    void decided(PressureDecision decision) {
        decisions(decision.kind()).increment();
    }

    private Counter decisions(PressureDecision.Kind kind) {
        return counter("decisions", "Decisions that were told", "kind", lower(kind.name()));
    }

    void noticed(PressureNotice notice) {
        switch (notice) {
            case PressureNotice.Ended ended -> ended(ended.outcome()).increment();
            case PressureNotice.NobodyMoves nobody -> nobody(nobody.cause()).increment();
            case PressureNotice.HoldRefused refused ->
                counter("holds.refused", "Rooms that the ledger did not hold", "reason", name(refused.reply()))
                        .increment();
            case PressureNotice.MarkRefused refused ->
                counter("marks.refused", "Marks that the ledger did not put on", "reason", name(refused.reply()))
                        .increment();
            case PressureNotice.NoAnswer lost ->
                counter(
                                "answers.lost",
                                "Questions without an answer, or with one that is in doubt; asked again",
                                "question",
                                lost.question().word())
                        .increment();
            case PressureNotice.MarkFoundAlone _ -> loneMarks.increment();
            case PressureNotice.TooMany many ->
                counter("facts.dropped", "Facts beyond what is kept", "what", many.what())
                        .increment();
        }
    }

    private Counter ended(MigrationOutcome outcome) {
        return counter("migrations", "Migrations that ended, by how", "outcome", lower(outcome.name()));
    }

    private Counter nobody(Obstacle cause) {
        return counter(
                "nobody.moves",
                "Looks at nodes under pressure that found nobody to move",
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
            case HoldReply.NotReady _ -> "not_ready";
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
