package io.sluice.billing.outbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.outbox.core.DeliveryEvent.Closed;
import io.sluice.billing.outbox.core.DeliveryEvent.Failed;
import io.sluice.billing.outbox.core.DeliveryEvent.Sent;
import io.sluice.billing.outbox.core.DeliveryEvent.Stocked;
import io.sluice.billing.outbox.core.DeliveryEvent.Stopping;
import io.sluice.billing.outbox.core.DeliveryEvent.Woken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: in any history a queue has one request under way at a time, schedules its next wake-up whatever happens, and
 * sends everything in the end. Method: a simulated sink and outbox reply after random times, in virtual time.
 */
class QueueDeliveryHistoryTest {
    private static final Instant START = Instant.parse("2025-03-04T05:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final DeliverySchedule PACE = new DeliverySchedule(
            Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofSeconds(60));

    /** A future event. */
    private record Due(Instant at, long order, DeliveryEvent event) {}

    private final PriorityQueue<Due> agenda =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::order));
    private final List<Instant> sends = new ArrayList<>();
    private Random random = new Random(1);
    private QueueDelivery delivery;
    private Instant now = START;
    private Instant sinkDownUntil = START;
    private long order;
    private long wakes;
    private long open;
    private long batches;
    private long requested;
    private long answered;
    private boolean finished;
    private int failures;

    private void begin(long seed) {
        random = new Random(seed);
        delivery = new QueueDelivery(PACE, random, START);
        now = START;
        happen(new Stocked(0, 0));
    }

    private void later(Duration delay, DeliveryEvent event) {
        order++;
        agenda.add(new Due(now.plus(delay), order, event));
    }

    /** Steps the core, and schedules the results of its requests. */
    private void happen(DeliveryEvent event) {
        for (var action : delivery.on(event, now)) {
            assertThat(finished).isFalse();
            perform(action);
        }
    }

    private void perform(DeliveryAction action) {
        switch (action) {
            case DeliveryAction.CloseOpen(var number) -> {
                request(number);
                batches += open > 0 ? 1 : 0;
                open = 0;
                later(Duration.ofMillis(random.nextInt(100)), new Closed(number));
            }
            case DeliveryAction.SendHead(var number) -> {
                request(number);
                assertThat(batches).isPositive();
                sends.add(now);
                boolean fails = now.isBefore(sinkDownUntil) || random.nextInt(10) == 0;
                later(Duration.ofMillis(random.nextInt(30_000)), fails ? new Failed(number, "down") : new Sent(number));
            }
            case DeliveryAction.WakeAt(var when) -> {
                assertThat(when).isAfterOrEqualTo(now);
                wakes = ++order;
                agenda.removeIf(due -> due.event() instanceof Woken);
                agenda.add(new Due(when, wakes, new Woken()));
            }
            case DeliveryAction.RecordFailed(var _, var pause) -> {
                failures++;
                assertThat(pause).isLessThanOrEqualTo(PACE.longestWait());
            }
            case DeliveryAction.RecordDrained(var took) -> assertThat(took).isPositive();
            case DeliveryAction.RecordNothingToSend() -> assertThat(batches).isZero();
            case DeliveryAction.Finish() -> finished = true;
        }
    }

    private void request(long number) {
        assertThat(requested).as("one request at a time").isEqualTo(answered);
        requested++;
        assertThat(number).isEqualTo(requested);
    }

    private void next() {
        var due = agenda.remove();
        now = due.at();
        if (!(due.event() instanceof Woken)) {
            answered++;
        }
        batches -= due.event() instanceof Sent ? 1 : 0;
        happen(new Stocked(open, batches));
        happen(due.event());
    }

    private void add(int events) {
        open += events;
        while (open >= 20) {
            open -= 20;
            batches++;
        }
        happen(new Stocked(open, batches));
    }

    private void runUntil(Instant end) {
        while (!agenda.isEmpty() && !agenda.element().at().isAfter(end)) {
            next();
        }
        now = end;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 20250304})
    void doesOneThingAtATimeAndSendsAllOfItInTheEnd(long seed) {
        begin(seed);
        for (int step = 0; step < 3000; step++) {
            if (random.nextInt(3) == 0) {
                add(random.nextInt(30));
            }
            if (random.nextInt(500) == 0) {
                sinkDownUntil = now.plusSeconds(random.nextInt(2000));
            }
            runUntil(now.plusMillis(random.nextInt(20_000)));
        }
        runUntil(now.plus(HOUR.multipliedBy(24)));
        assertThat(open + batches).as("seed %d", seed).isZero();
        assertThat(failures).isPositive();
        happen(new Stopping());
        assertThat(finished).isTrue();
    }

    @Test
    void outlastsASinkThatIsDownForAnHourAndSendsNothingInVain() {
        begin(7);
        sinkDownUntil = START.plus(HOUR);
        for (int second = 0; second < 3600; second += 24) {
            add(7);
            runUntil(now.plusSeconds(24));
        }
        assertThat(sends).as("at the pace of the longest pause").hasSizeBetween(30, 200);
        long waiting = batches;
        assertThat(waiting).isGreaterThan(50);
        runUntil(now.plus(HOUR));
        assertThat(open + batches).isZero();
    }
}
