package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.sink.QueueId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxSpaceTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private final Random random = new Random(20250304);

    private OutboxRig rig() throws IOException {
        return OutboxRig.with(
                directory,
                OutboxRig.queue(HTTP, BatchForm.JSON_OBJECT, 200, ROOMY),
                OutboxRig.queue(S3, BatchForm.NDJSON_GZIP, 200, ROOMY));
    }

    private String[] events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"a\":\"" + Long.toHexString(random.nextLong()).repeat(15) + "\"}")
                .toArray(String[]::new);
    }

    private static long fileBytes(OutboxRig rig) throws IOException {
        return Files.size(rig.file());
    }

    private static void send(OutboxRig rig, QueueId queue) {
        rig.outbox.head(queue).ifPresent(batch -> rig.outbox.taken(queue, batch.id()));
    }

    @Test
    void takesNoMoreRoomHoweverLongEventsComeAndGo() throws IOException {
        try (var rig = rig()) {
            long early = 0;
            long largest = 0;
            for (int round = 0; round < 1500; round++) {
                rig.outbox.accept(
                        rig.offer(
                                Map.of(HTTP, OutboxRig.bytes(events(50)), S3, OutboxRig.bytes(events(50))),
                                Map.of("window", new byte[100])),
                        rig.now);
                send(rig, HTTP);
                send(rig, S3);
                largest = Math.max(largest, fileBytes(rig));
                early = round == 300 ? largest : early;
            }
            assertThat(largest).as("20 MB went through").isLessThan(MIB);
            assertThat(largest).as("compared with the size after a fifth of it").isLessThan(2 * early);
            assertThat(rig.outbox.fileBytes()).isEqualTo(fileBytes(rig));
        }
    }

    @Test
    void givesRoomBackWhenALargeBacklogWasSent() throws IOException {
        try (var rig = rig()) {
            for (int round = 0; round < 100; round++) {
                rig.accept(HTTP, events(1000));
                rig.accept(S3, events(10));
            }
            long full = fileBytes(rig);
            assertThat(full).isGreaterThan(20 * MIB);
            while (rig.outbox.head(HTTP).isPresent()) {
                send(rig, HTTP);
            }
            for (int round = 0; round < 50; round++) {
                rig.accept(HTTP, "{1}");
            }
            assertThat(fileBytes(rig)).isLessThan(full / 10);
        }
    }

    @Test
    void takesLittleMoreRoomThanWhatWaitsThoughOneQueueIsStuckAndTheOtherFlows() throws IOException {
        try (var rig = rig()) {
            for (int round = 0; round < 1000; round++) {
                rig.outbox.accept(
                        rig.offer(Map.of(HTTP, OutboxRig.bytes(events(20)), S3, OutboxRig.bytes(events(5))), Map.of()),
                        rig.now);
                send(rig, HTTP);
            }
            long waiting = rig.outbox.view(S3).bytes() + rig.outbox.view(HTTP).bytes();
            assertThat(fileBytes(rig)).isLessThan(4 * waiting + MIB);
        }
    }
}
