package io.sluice.billing.outbox;

import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An outbox with a manual clock. */
final class OutboxRig implements AutoCloseable {
    static final QueueId HTTP = new QueueId(EventKind.BILLING, "http");
    static final QueueId S3 = new QueueId(EventKind.SCALING_EVENTS, "s3");
    static final Instant NOW = Instant.parse("2025-03-04T05:06:07Z");
    static final String SOURCE = "collector";
    static final OutboxConfig ROOMY = new OutboxConfig(1L << 30, Duration.ofDays(7), OutboxConfig.Overflow.BLOCK);

    Path directory;
    final ReceivedEvents received = new ReceivedEvents();
    private final Random random = new Random(20250304);
    final List<QueueSpec> queues = new ArrayList<>();
    volatile Instant now = NOW;
    Outbox outbox;
    private long offers;

    OutboxRig(Path directory) {
        this.directory = directory;
    }

    static QueueSpec queue(QueueId id, BatchForm form, int maxBatchSize, OutboxConfig limit) {
        return new QueueSpec(id, form, maxBatchSize, (at, uuid) -> at + "_" + uuid, limit);
    }

    /** Two queues with batches of three events. */
    static OutboxRig of(Path directory) throws IOException {
        return with(directory, two().toArray(QueueSpec[]::new));
    }

    static List<QueueSpec> two() {
        return List.of(queue(HTTP, BatchForm.JSON_OBJECT, 3, ROOMY), queue(S3, BatchForm.NDJSON, 3, ROOMY));
    }

    static OutboxRig with(Path directory, QueueSpec... queues) throws IOException {
        var rig = new OutboxRig(directory);
        rig.queues.addAll(List.of(queues));
        rig.open();
        return rig;
    }

    void open() throws IOException {
        outbox = Outbox.open(directory, new OutboxSettings(queues, () -> now, random), received);
    }

    /** The outbox's file, whatever its number. */
    Path file() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(it -> it.toString().endsWith(".db")).findFirst().orElseThrow();
        }
    }

    /** Goes on in a copy of the directory as it is at this moment, which is what a kill would leave. */
    void kill() throws IOException {
        var copy = Files.createDirectory(directory.resolve("killed"));
        try (var files = Files.list(directory)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        outbox.close();
        directory = copy;
    }

    void killAndOpen() throws IOException {
        kill();
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
