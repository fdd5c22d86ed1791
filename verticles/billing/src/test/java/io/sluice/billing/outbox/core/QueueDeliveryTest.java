package io.sluice.billing.outbox.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.outbox.core.DeliveryAction.CloseOpen;
import io.sluice.billing.outbox.core.DeliveryAction.Finish;
import io.sluice.billing.outbox.core.DeliveryAction.RecordDrained;
import io.sluice.billing.outbox.core.DeliveryAction.RecordFailed;
import io.sluice.billing.outbox.core.DeliveryAction.RecordNothingToSend;
import io.sluice.billing.outbox.core.DeliveryAction.SendHead;
import io.sluice.billing.outbox.core.DeliveryAction.WakeAt;
import io.sluice.billing.outbox.core.DeliveryEvent.Closed;
import io.sluice.billing.outbox.core.DeliveryEvent.Failed;
import io.sluice.billing.outbox.core.DeliveryEvent.NothingThere;
import io.sluice.billing.outbox.core.DeliveryEvent.Sent;
import io.sluice.billing.outbox.core.DeliveryEvent.Stocked;
import io.sluice.billing.outbox.core.DeliveryEvent.Stopping;
import io.sluice.billing.outbox.core.DeliveryEvent.Woken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class QueueDeliveryTest {
    private static final Instant START = Instant.parse("2025-03-04T05:00:00Z");
    private static final DeliverySchedule PACE = new DeliverySchedule(
            Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofSeconds(60));
    /** Removes randomness: always the longest pause. */
    private static final RandomGenerator LONGEST = () -> -1L;

    private final QueueDelivery delivery = new QueueDelivery(PACE, LONGEST, START);

    private static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    private List<DeliveryAction> on(DeliveryEvent event, long seconds) {
        return delivery.on(event, at(seconds));
    }

    private static Duration pause(long seconds) {
        return PACE.pause((int) seconds, LONGEST);
    }

    @Test
    void sendsABatchAtOnce() {
        assertThat(on(new Stocked(0, 1), 1)).containsExactly(new SendHead(1), new WakeAt(at(21)));
    }

    @Test
    void closesTheOpenBatchWhenItsTimeHasCome() {
        assertThat(on(new Stocked(5, 0), 1)).containsExactly(new WakeAt(at(10)));
        assertThat(on(new Woken(), 9)).containsExactly(new WakeAt(at(10)));
        assertThat(on(new Woken(), 10)).containsExactly(new CloseOpen(1));
        assertThat(on(new Stocked(0, 1), 10)).isEmpty();
        assertThat(on(new Closed(1), 10)).containsExactly(new SendHead(2), new WakeAt(at(30)));
    }

    @Test
    void countsTheTimeToTheNextClosingFromTheLastSend() {
        on(new Stocked(3, 1), 8);
        on(new Stocked(3, 0), 9);
        assertThat(on(new Sent(1), 9)).containsExactly(new RecordDrained(Duration.ofSeconds(1)), new WakeAt(at(19)));
    }

    @Test
    void sendsOneBatchAfterTheOther() {
        on(new Stocked(0, 2), 1);
        assertThat(on(new Stocked(0, 3), 2)).isEmpty();
        assertThat(on(new Stocked(0, 2), 3)).isEmpty();
        assertThat(on(new Sent(1), 3)).containsExactly(new SendHead(2), new WakeAt(at(23)));
    }

    @Test
    void recordsThatThereIsNothingToSend() {
        assertThat(on(new Stocked(0, 0), 0)).containsExactly(new WakeAt(at(10)));
        assertThat(on(new Woken(), 10)).containsExactly(new RecordNothingToSend(), new WakeAt(at(20)));
    }

    @Test
    void sendsTheSameAgainAfterAPauseThoughNothingNewComes() {
        on(new Stocked(0, 1), 0);
        assertThat(on(new Failed(1, "HTTP code 500"), 1))
                .containsExactly(new RecordFailed("HTTP code 500", pause(1)), new WakeAt(at(1).plus(pause(1))));
        assertThat(on(new Stocked(0, 2), 1)).isEmpty();
        assertThat(on(new Woken(), 2)).containsExactly(new SendHead(2), new WakeAt(at(22)));
    }

    @Test
    void closesNothingWhileItsSinkFails() {
        on(new Stocked(3, 1), 0);
        on(new Failed(1, "down"), 0);
        assertThat(on(new Stocked(50, 1), 0)).isEmpty();
        assertThat(on(new Woken(), 30)).containsExactly(new SendHead(2), new WakeAt(at(50)));
    }

    @Test
    void waitsForASinkThatIsLateAndAcceptsWhatItReports() {
        on(new Stocked(0, 2), 0);
        assertThat(on(new Woken(), 20)).containsExactly(new RecordFailed(QueueDelivery.TIMEOUT, pause(1)));
        assertThat(on(new Woken(), 300)).isEmpty();
        on(new Stocked(0, 1), 301);
        assertThat(on(new Sent(1), 301)).containsExactly(new SendHead(2), new WakeAt(at(321)));
    }

    @Test
    void countsALateFailureOnce() {
        on(new Stocked(0, 1), 0);
        on(new Woken(), 20);
        assertThat(on(new Failed(1, "down"), 30)).containsExactly(new WakeAt(at(30).plus(pause(1))));
    }

    @Test
    void forgetsFailuresWithTheFirstSuccess() {
        on(new Stocked(0, 2), 0);
        on(new Failed(1, "down"), 0);
        on(new Woken(), 60);
        on(new Failed(2, "down"), 60);
        on(new Woken(), 120);
        on(new Sent(3), 120);
        assertThat(on(new Failed(4, "down"), 121)).contains(new RecordFailed("down", pause(1)));
    }

    @Test
    void ignoresAReplyToARequestThatItDidNotSend() {
        on(new Stocked(0, 1), 0);
        assertThat(on(new Sent(7), 1)).isEmpty();
        assertThat(on(new Failed(7, "down"), 1)).isEmpty();
        assertThat(on(new Closed(7), 1)).isEmpty();
        assertThat(on(new NothingThere(7), 1)).isEmpty();
    }

    @Test
    void doesNotRequestABatchThatIsNotThereAgainAndAgain() {
        on(new Stocked(0, 1), 0);
        assertThat(on(new NothingThere(1), 1)).doesNotHaveAnyElementsOfTypes(SendHead.class);
    }

    @Test
    void closesAndSendsWhatIsOpenBeforeItStops() {
        on(new Stocked(1, 0), 1);
        assertThat(on(new Stopping(), 2)).containsExactly(new CloseOpen(1));
        on(new Stocked(0, 1), 2);
        assertThat(on(new Closed(1), 2)).containsExactly(new SendHead(2), new WakeAt(at(22)));
        on(new Stocked(0, 0), 3);
        assertThat(on(new Sent(2), 3)).containsExactly(new RecordDrained(Duration.ofSeconds(1)), new Finish());
    }

    @Test
    void triesOnceMoreWhenItStopsWhileItPauses() {
        on(new Stocked(0, 1), 0);
        on(new Failed(1, "down"), 0);
        assertThat(on(new Stopping(), 0)).containsExactly(new SendHead(2), new WakeAt(at(20)));
        assertThat(on(new Failed(2, "down"), 1)).containsExactly(new RecordFailed("down", pause(2)), new Finish());
        assertThat(on(new Stocked(0, 1), 2)).isEmpty();
        assertThat(on(new Woken(), 90)).isEmpty();
    }

    @Test
    void stopsAtOnceWhereNothingWaits() {
        assertThat(on(new Stopping(), 0)).containsExactly(new Finish());
    }

    @Test
    void doublesItsPausesUpToTheLongest() {
        assertThat(List.of(pause(1), pause(2), pause(3), pause(7), pause(1000)))
                .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(PACE.longestWait()))
                .isSorted();
        assertThat(pause(2)).isBetween(Duration.ofMillis(1900), Duration.ofSeconds(2));
        assertThat(pause(1000)).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(60));
        assertThat(PACE.pause(3, () -> 0L)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void refusesALongestPauseThatIsShorterThanTheFirst() {
        var second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new DeliverySchedule(second, second, second, Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0.001S");
    }
}
