package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.FaultyDisk;
import io.sluice.billing.outbox.file.FaultyPath;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An outbox on a disk that can be made to fail, with a manual clock. */
final class OutboxRig implements AutoCloseable {
    static final QueueId HTTP = new QueueId(EventKind.BILLING, "http");
    static final QueueId S3 = new QueueId(EventKind.SCALING_EVENTS, "s3");
    static final Instant NOW = Instant.parse("2025-03-04T05:06:07Z");
    static final String SOURCE = "collector";
    static final QueueLimit ROOMY = new QueueLimit(1L << 30, Duration.ofDays(7), QueueLimit.Overflow.BLOCK);

    final Path directory;
    final FaultyDisk disk;
    final ReceivedEvents received = new ReceivedEvents();
    private final Random random = new Random(20250304);
    final List<QueueSpec> queues = new ArrayList<>();
    volatile Instant now = NOW;
    Outbox outbox;
    private long offers;

    OutboxRig(Path directory) {
        this.directory = directory;
        disk = FaultyDisk.under(directory);
    }

    static QueueSpec queue(QueueId id, BatchForm form, int maxBatchSize, QueueLimit limit) {
        return new QueueSpec(id, form, maxBatchSize, (at, uuid) -> at + "_" + uuid, limit);
    }

    /** Two queues with batches of three events. */
    static OutboxRig of(Path directory) throws IOException {
        return with(directory, queue(HTTP, BatchForm.JSON_OBJECT, 3, ROOMY), queue(S3, BatchForm.NDJSON, 3, ROOMY));
    }

    static OutboxRig with(Path directory, QueueSpec... queues) throws IOException {
        var rig = new OutboxRig(directory);
        rig.queues.addAll(List.of(queues));
        rig.open();
        return rig;
    }

    void open() throws IOException {
        outbox = Outbox.open(directory, FaultyPath.SCHEME, new OutboxSettings(queues, () -> now, random), received);
    }

    /** Ends the process without a stop. */
    void kill() throws IOException {
        disk.dieAfter(0);
        // The first write fails.
        try {
            outbox.accept(new OutboxWrite("killer", Long.MAX_VALUE, Map.of(), Map.of()), now);
        } catch (OutboxException off) {
            // Expected, because the disk has stopped.
        }
        outbox.close();
    }

    void killAndOpen() throws IOException {
        kill();
        disk.restart();
        open();
    }

    WriteResult accept(QueueId queue, String... events) {
        return outbox.accept(offer(Map.of(queue, bytes(events)), Map.of()), now);
    }

    OutboxWrite offer(Map<QueueId, List<byte[]>> events, Map<String, byte[]> checkpoints) {
        offers++;
        return new OutboxWrite(SOURCE, offers, events, checkpoints);
    }

    /** Closes the open batch, and returns the bodies of everything that waits, in order. */
    List<String> drain(QueueId queue) {
        var bodies = new ArrayList<String>();
        outbox.closeOpen(queue, now);
        for (var head = outbox.head(queue); head.isPresent(); head = outbox.head(queue)) {
            bodies.add(text(head.get().body()));
            outbox.taken(queue, head.get().id());
        }
        return bodies;
    }

    static List<byte[]> bytes(String... events) {
        return List.of(events).stream()
                .map(event -> event.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        outbox.close();
    }
}
