package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.QueueId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the outbox on a disk that is full or damaged; {@link OutboxProcessTest} tests kills and syncs that fail. */
@DisplayName("F19: the outbox keeps accepted events on a full or rotting disk")
class OutboxDiskTest {
    private static final int FLIPS = Integer.getInteger("outbox.flips", 150);
    private static final WriteResult TAKEN = new WriteResult.Taken(false, Map.of());

    @TempDir
    private Path directory;

    private static OutboxWrite offer(OutboxRig rig, String... events) {
        return rig.offer(Map.of(HTTP, OutboxRig.bytes(events)), Map.of());
    }

    @Test
    void takesNothingMoreOnAFullDiskButSendsAndGoesOnByItselfWhenThereIsRoom() throws IOException {
        try (var library = OutboxRig.of(Files.createDirectory(directory.resolve("other")));
                var disk = new Faults.SmallDisk(Files.createDirectory(directory.resolve("small")), 8);
                var rig = OutboxRig.of(directory.resolve("small"))) {
            library.accept(HTTP, "{1}");
            for (int batch = 0; batch < 200; batch++) {
                rig.accept(HTTP, "{1}", "{2}", "{" + "3".repeat(3000) + "}");
            }
            disk.fill();
            var large = offer(rig, "{" + "4".repeat(2_000_000) + "}");
            assertThat(rig.outbox.accept(large, rig.now))
                    .isEqualTo(new WriteResult.Full(List.of(new WriteResult.FullQueue(HTTP, "the disk has no room"))));
            var checkpoint = rig.offer(Map.of(), Map.of("meters", new byte[2_000_000]));
            assertThat(rig.outbox.accept(checkpoint, rig.now))
                    .isInstanceOfSatisfying(
                            WriteResult.Full.class,
                            full -> assertThat(full.reason()).contains("disk"));
            disk.fill();
            for (int turn = 0; turn < 300; turn++) {
                rig.now = rig.now.plusSeconds(60);
                send(rig);
            }
            assertThat(rig.outbox.view(HTTP)).isEqualTo(QueueView.EMPTY);

            disk.clear();
            assertThat(rig.outbox.accept(large, rig.now)).isEqualTo(TAKEN);
            assertThat(rig.outbox.accept(checkpoint, rig.now)).isEqualTo(TAKEN);
            assertThat(rig.received.findings).isEmpty();
            rig.outbox.close();
            rig.open();
            assertThat(rig.drain(HTTP)).hasSize(1).first().asString().startsWith("{\"events\":[{444");
        }
    }

    private static void send(OutboxRig rig) {
        try {
            rig.outbox.head(HTTP).ifPresent(head -> rig.outbox.taken(HTTP, head.id()));
        } catch (OutboxException full) {
            // It is tried again in the next turn.
        }
    }

    @Test
    void retriesLessAndLessOften() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            manyBatches(rig, HTTP);
            flip(rig.file(), "{\"batch\":1000");
            var file = rig.file();
            Files.delete(file);
            Files.createDirectory(file);
            for (int second = 0; second < 120; second++) {
                rig.now = rig.now.plusSeconds(1);
                assertThatThrownBy(() -> rig.outbox.head(HTTP)).isInstanceOf(OutboxException.class);
            }
            assertThat(rig.received.failures).hasSizeBetween(4, 14);
        }
    }

    /** More than SQLite keeps in memory. */
    static void manyBatches(OutboxRig rig, QueueId queue) {
        for (int batch = 0; batch < 100; batch++) {
            var event = "{\"batch\":" + (1000 + batch) + ",\"" + "x".repeat(20_000) + "\":1}";
            rig.accept(queue, event, event, event);
        }
    }

    @Test
    void setsAsideTheOneEventThatRottedAndKeepsTheOthers() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}");
            rig.accept(S3, "{\"rot\":4}");
            rig.accept(S3, "{5}");
            rig.outbox.close();
            assertThat(flip(rig.file(), "{\"rot\":4}")).isPositive();
            rig.open();

            assertThat(rig.received.findings)
                    .singleElement()
                    .isInstanceOfSatisfying(OpeningFinding.Damaged.class, damage -> {
                        assertThat(damage.setAside()).containsExactly(Map.entry("scalingevents/s3", 1L));
                        assertThat(damage.unreadable()).isZero();
                        assertThat(Path.of(damage.keptAt())).exists();
                    });
            assertThat(rig.outbox.view(S3).quarantined()).isEqualTo(1);
            assertThat(rig.drain(S3)).containsExactly("{5}\n");
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2},{3}]}");
            rig.outbox.close();
            rig.open();
            assertThat(rig.received.findings).as("reported once").hasSize(1);
            assertThat(rig.outbox.view(S3).quarantined()).isEqualTo(1);
        }
    }

    @Test
    void givesNoNumberOfABatchTwiceThoughTheFileIsANewOne() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(S3, "{\"rot\":4}");
            rig.accept(HTTP, "{1}", "{2}", "{3}");
            long first = rig.outbox.head(HTTP).orElseThrow().id();
            rig.outbox.taken(HTTP, first);
            rig.outbox.close();
            flip(rig.file(), "{\"rot\":4}");
            rig.open();
            assertThat(rig.received.findings).hasSize(1);
            rig.accept(HTTP, "{4}", "{5}", "{6}");
            assertThat(rig.outbox.head(HTTP).orElseThrow().id()).isGreaterThan(first);
        }
    }

    /** A part in the middle that SQLite cannot read costs only what is in it. */
    @Test
    void keepsWhatIsBeforeAndBehindAPartThatCannotBeRead() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            for (int event = 0; event < 2000; event++) {
                rig.accept(HTTP, "{\"event\":" + event + ",\"" + "x".repeat(100) + "\":1}");
            }
            var before = rig.outbox.view(HTTP).events();
            rig.outbox.close();
            var file = rig.file();
            try (var out = new RandomAccessFile(file.toFile(), "rw")) {
                var all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                // The kind of the page that has this event.
                out.seek(all.indexOf("{\"event\":1000,") / 4096 * 4096L);
                out.write(new byte[100]);
            }
            rig.open();
            assertThat(rig.received.findings).singleElement().isInstanceOf(OpeningFinding.Damaged.class);
            assertThat(rig.outbox.view(HTTP).events()).isBetween(before - 100, before - 1);
            assertThat(String.join("", rig.drain(HTTP))).contains("\"event\":0,", "\"event\":1999,");
        }
    }

    @Test
    void setsAsideBatchesThatRotWhileTheyWait() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            manyBatches(rig, HTTP);
            for (int batch = 0; batch < 50; batch++) {
                assertThat(flip(rig.file(), "{\"batch\":" + (1000 + batch))).isPositive();
            }
            assertThatThrownBy(() -> rig.outbox.head(HTTP)).hasMessageContaining("checksum");
            rig.now = rig.now.plusSeconds(60);

            assertThat(rig.outbox.head(HTTP).map(head -> OutboxRig.text(head.body())))
                    .hasValueSatisfying(body -> assertThat(body).contains("{\"batch\":1050,"));
            assertThat(rig.outbox.view(HTTP).batches()).isEqualTo(50);
            assertThat(rig.outbox.view(HTTP).quarantined()).isEqualTo(50);
        }
    }

    /** Each bit of the file may flip. Either nothing is missing, or what is missing is reported, or the start stops. */
    @Test
    void neverLosesAnEventSilentlyWhateverBitFlips() throws IOException {
        var random = new Random(20250304);
        byte[] intact;
        try (var rig = OutboxRig.of(directory)) {
            for (int event = 0; event < 60; event++) {
                rig.accept(
                        event % 2 == 0 ? HTTP : S3, "{\"event\":" + event + ",\"" + "x".repeat(event * 20) + "\":1}");
            }
            rig.outbox.close();
            intact = Files.readAllBytes(rig.file());
        }
        int kept = 0;
        for (int flip = 0; flip < FLIPS; flip++) {
            var damaged = intact.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            var copy = Files.createDirectory(directory.resolve("flip" + flip));
            Files.write(copy.resolve("outbox-1.db"), damaged);
            var rig = new OutboxRig(copy);
            rig.queues.addAll(OutboxRig.two());
            try {
                rig.open();
            } catch (IOException stopped) {
                assertThat(copy.resolve("outbox-1.db")).hasBinaryContent(damaged);
                continue;
            }
            long events = rig.outbox.view(HTTP).events() + rig.outbox.view(S3).events();
            var all = String.join("", rig.drain(HTTP)) + String.join("", rig.drain(S3));
            boolean reported = !rig.received.findings.isEmpty();
            for (int event = 0; event < 60; event++) {
                assertThat(all.contains("{\"event\":" + event + ",\"" + "x".repeat(event * 20) + "\":1}") || reported)
                        .as("event %d after flip %d", event, flip)
                        .isTrue();
            }
            assertThat(events > 0 || reported).isTrue();
            kept++;
            rig.close();
        }
        assertThat(kept).as("of %d damaged files that were opened", FLIPS).isGreaterThan(FLIPS / 2);
    }

    /** What was answered is in the file, whatever happens to the log beside it. */
    @Test
    void needsNothingOfItsLogOnceAWriteWasAnswered() throws IOException {
        var random = new Random(20250304);
        for (int turn = 0; turn < 20; turn++) {
            var place = Files.createDirectory(directory.resolve("turn" + turn));
            try (var rig = OutboxRig.of(place)) {
                rig.accept(HTTP, "{1}", "{2}");
                rig.accept(HTTP, "{" + "3".repeat(10_000) + "}", "{4}");
                rig.kill();
                var log = Path.of(rig.file() + "-wal");
                var bytes = Files.readAllBytes(log);
                int at = random.nextInt(bytes.length);
                if (turn % 2 == 0) {
                    bytes = Arrays.copyOf(bytes, at);
                } else {
                    bytes[at] ^= 4;
                }
                Files.write(log, bytes);
                rig.open();
                assertThat(rig.received.findings).isEmpty();
                assertThat(rig.outbox.lastOffer(OutboxRig.SOURCE)).isEqualTo(2);
                assertThat(rig.outbox.view(HTTP).events()).isEqualTo(4);
            }
        }
    }

    @Test
    void refusesAFileOfALaterVersion() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.outbox.close();
            try (var file = new RandomAccessFile(rig.file().toFile(), "rw")) {
                // SQLite's user_version.
                file.seek(60);
                file.writeInt(2);
            }
            assertThatThrownBy(rig::open).hasMessageContaining("later Sluice");
        }
    }

    /** Flips one bit in the middle of each occurrence of a text in the file, and returns the number of occurrences. */
    static int flip(Path path, String text) throws IOException {
        var all = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        int found = 0;
        try (var out = new RandomAccessFile(path.toFile(), "rw")) {
            for (int at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
                out.seek(at + text.length() / 2);
                out.write(all.charAt(at + text.length() / 2) ^ 4);
                found++;
            }
        }
        return found;
    }
}
