package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.NOW;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxLimitTest {
    private static final Duration DAY = Duration.ofDays(1);
    /** Its cost is 200 bytes with the stored overhead. */
    private static final String EVENT = "{" + "1".repeat(98) + "}";

    @TempDir
    private Path directory;

    private OutboxRig rig(OutboxConfig limit) throws IOException {
        return OutboxRig.with(
                directory,
                OutboxRig.queue(HTTP, BatchForm.NDJSON, 2, limit),
                OutboxRig.queue(S3, BatchForm.NDJSON, 2, ROOMY));
    }

    @Test
    void countsWhatIsStoredByTheByte() throws IOException {
        try (var rig = rig(new OutboxConfig(1000, DAY, OutboxConfig.Overflow.BLOCK))) {
            rig.accept(HTTP, EVENT);
            assertThat(rig.outbox.view(HTTP).bytes()).isEqualTo(200);
            long before = rig.outbox.view(HTTP).bytes();
            rig.killAndOpen();
            assertThat(rig.outbox.view(HTTP).bytes()).isEqualTo(before);
        }
    }

    @Test
    void takesNothingOfAWriteForWhichOneQueueHasNoRoom() throws IOException {
        try (var rig = rig(new OutboxConfig(310, DAY, OutboxConfig.Overflow.BLOCK))) {
            rig.accept(HTTP, EVENT, EVENT);
            var before = rig.outbox.view(HTTP);
            var offer = rig.offer(
                    Map.of(HTTP, OutboxRig.bytes(EVENT), S3, OutboxRig.bytes("{2}")), Map.of("a", new byte[] {1}));

            assertThat(rig.outbox.accept(offer, NOW))
                    .isInstanceOfSatisfying(
                            WriteResult.Full.class,
                            full -> assertThat(full.queues()).singleElement().satisfies(queue -> {
                                assertThat(queue.queue()).isEqualTo(HTTP);
                                assertThat(queue.reason())
                                        .contains(before.bytes() + " bytes")
                                        .contains("exceed 310");
                            }));
            assertThat(rig.outbox.view(HTTP)).isEqualTo(before);
            assertThat(rig.outbox.view(S3)).isEqualTo(QueueView.EMPTY);
            assertThat(rig.outbox.checkpoints("")).isEmpty();

            rig.outbox.taken(HTTP, rig.outbox.head(HTTP).orElseThrow().id());
            assertThat(rig.outbox.accept(offer, NOW)).isEqualTo(new WriteResult.Taken(false, Map.of()));
        }
    }

    @Test
    void takesNothingMoreWhileTheOldestIsTooOld() throws IOException {
        try (var rig = rig(new OutboxConfig(1 << 20, DAY, OutboxConfig.Overflow.BLOCK))) {
            rig.accept(HTTP, "{1}", "{2}");
            rig.now = NOW.plus(DAY);
            assertThat(rig.accept(HTTP, "{3}")).isInstanceOf(WriteResult.Taken.class);
            rig.now = NOW.plus(DAY).plusSeconds(1);
            assertThat(rig.accept(HTTP, "{4}")).isInstanceOf(WriteResult.Full.class);
            rig.outbox.taken(HTTP, rig.outbox.head(HTTP).orElseThrow().id());
            assertThat(rig.accept(HTTP, "{5}")).isInstanceOf(WriteResult.Taken.class);
        }
    }

    @Test
    void dropsTheOldestBatchesAndReportsWhatWasLost() throws IOException {
        try (var rig = rig(new OutboxConfig(850, DAY, OutboxConfig.Overflow.DROP_OLDEST))) {
            rig.accept(HTTP, EVENT + "1", EVENT + "2", EVENT + "3", EVENT + "4");

            var answer = rig.accept(HTTP, EVENT + "5", EVENT + "6");

            assertThat(answer).isEqualTo(new WriteResult.Taken(false, Map.of(HTTP, new WriteResult.Loss(2, 1))));
            rig.killAndOpen();
            assertThat(rig.outbox.view(HTTP).lost()).isEqualTo(new WriteResult.Loss(2, 1));
            assertThat(rig.drain(HTTP)).containsExactly(EVENT + "3\n" + EVENT + "4\n", EVENT + "5\n" + EVENT + "6\n");
        }
    }

    @Test
    void dropsWhatIsTooOld() throws IOException {
        try (var rig = rig(new OutboxConfig(1 << 20, DAY, OutboxConfig.Overflow.DROP_OLDEST))) {
            rig.accept(HTTP, "{1}", "{2}");
            rig.now = NOW.plusSeconds(60);
            rig.accept(HTTP, "{3}", "{4}");
            rig.now = NOW.plus(DAY).plusSeconds(1);

            var answer = rig.accept(HTTP, "{5}", "{6}");

            assertThat(answer).isEqualTo(new WriteResult.Taken(false, Map.of(HTTP, new WriteResult.Loss(2, 1))));
            assertThat(rig.drain(HTTP)).containsExactly("{3}\n{4}\n", "{5}\n{6}\n");
        }
    }

    @Test
    void dropsEventsOfTheOpenBatchWhereThereIsNoOther() throws IOException {
        try (var rig = rig(new OutboxConfig(250, DAY, OutboxConfig.Overflow.DROP_OLDEST))) {
            rig.accept(HTTP, EVENT);
            assertThat(rig.accept(HTTP, EVENT))
                    .isEqualTo(new WriteResult.Taken(false, Map.of(HTTP, new WriteResult.Loss(1, 1))));
            assertThat(rig.drain(HTTP)).containsExactly(EVENT + "\n");
        }
    }

    @Test
    void takesAnOfferThatIsLargerThanAllRoomWhereNothingWaits() throws IOException {
        try (var rig = rig(new OutboxConfig(10, DAY, OutboxConfig.Overflow.BLOCK))) {
            assertThat(rig.accept(HTTP, EVENT)).isInstanceOf(WriteResult.Taken.class);
            assertThat(rig.accept(HTTP, "{2}")).isInstanceOf(WriteResult.Full.class);
        }
    }
}
