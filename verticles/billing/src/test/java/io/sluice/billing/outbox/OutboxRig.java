package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.FaultyDisk;
import io.sluice.billing.outbox.file.FaultyPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An outbox on a disk that can be made to fail, with a clock that is moved by hand. */
final class OutboxRig implements AutoCloseable {
    static final QueueId HTTP = new QueueId(EventKind.BILLING, "http");
    static final QueueId S3 = new QueueId(EventKind.SCALING_EVENTS, "s3");
    static final Instant NOW = Instant.parse("2025-03-04T05:06:07Z");
    static final String SOURCE = "collector";
    static final QueueLimit ROOMY = new QueueLimit(1L << 30, Duration.ofDays(7), QueueLimit.Overflow.BLOCK);

    final Path directory;
    final FaultyDisk disk;
    final ReceivedEvents heard = new ReceivedEvents();
    private final Random random = new Random(20250304);
    final List<QueueSpec> lanes = new ArrayList<>();
    volatile Instant now = NOW;
    Outbox outbox;
    private long offers;

    OutboxRig(Path directory) {
        this.directory = directory;
        disk = FaultyDisk.under(directory);
    }

    static QueueSpec lane(QueueId id, BatchForm form, int maxBatchSize, QueueLimit limit) {
        return new QueueSpec(id, form, maxBatchSize, (at, uuid) -> at + "_" + uuid, limit);
    }

    /** Two lanes of batches of three. */
    static OutboxRig of(Path directory) throws IOException {
        return with(directory, lane(HTTP, BatchForm.JSON_OBJECT, 3, ROOMY), lane(S3, BatchForm.NDJSON, 3, ROOMY));
    }

    static OutboxRig with(Path directory, QueueSpec... lanes) throws IOException {
        var rig = new OutboxRig(directory);
        rig.lanes.addAll(List.of(lanes));
        rig.open();
        return rig;
    }

    void open() throws IOException {
        outbox = Outbox.open(directory, FaultyPath.SCHEME, new OutboxSettings(lanes, () -> now, random), heard);
    }

    /** The process ends without having been asked to. */
    void kill() throws IOException {
        disk.dieAfter(0);
        // The first write is the one that finds out.
        try {
            outbox.accept(new OutboxWrite("killer", Long.MAX_VALUE, Map.of(), Map.of()), now);
        } catch (OutboxException off) {
            // As expected of a dead one.
        }
        outbox.close();
    }

    void killAndOpen() throws IOException {
        kill();
        disk.restart();
        open();
    }

    WriteResult accept(QueueId lane, String... events) {
        return outbox.accept(offer(Map.of(lane, bytes(events)), Map.of()), now);
    }

    OutboxWrite offer(Map<QueueId, List<byte[]>> events, Map<String, byte[]> notes) {
        offers++;
        return new OutboxWrite(SOURCE, offers, events, notes);
    }

    /** The bodies of everything that waits, in order; the open batch is closed for it. */
    List<String> drain(QueueId lane) {
        var bodies = new ArrayList<String>();
        outbox.closeOpen(lane, now);
        for (var head = outbox.head(lane); head.isPresent(); head = outbox.head(lane)) {
            bodies.add(text(head.get().body()));
            outbox.taken(lane, head.get().id());
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
