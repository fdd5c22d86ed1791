package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.outbox.file.OpeningFinding;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the outbox on a disk that is full, loses data or is damaged; {@link OutboxCrashTest} tests interrupted writes.
 */
@DisplayName("F19: the outbox keeps accepted events on a full, failing or rotting disk")
class OutboxDiskTest {
    private static final WriteResult TAKEN = new WriteResult.Taken(false, Map.of());

    @TempDir
    private Path directory;

    private OutboxWrite offer(OutboxRig rig, String... events) {
        return rig.offer(Map.of(HTTP, OutboxRig.bytes(events)), Map.of());
    }

    @Test
    void goesOnByItselfWhenAFullDiskHasRoomAgain() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}");
            rig.disk.room(5000);
            var large = offer(rig, "{" + "3".repeat(50_000) + "}");
            assertThatThrownBy(() -> rig.outbox.accept(large, rig.now))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("No space left");
            assertThat(rig.received.failures).hasSize(1);

            rig.now = rig.now.plusSeconds(60);
            rig.disk.room(Long.MAX_VALUE);
            assertThat(rig.outbox.accept(large, rig.now)).isEqualTo(TAKEN);
            assertThat(rig.received.recoveries).isEqualTo(1);
            assertThat(rig.received.findings).isEmpty();
            rig.killAndOpen();
            assertThat(rig.drain(HTTP)).hasSize(1).first().asString().startsWith("{\"events\":[{1},{2},{333");
        }
    }

    @Test
    void sendsWhatWaitsThoughTheDiskIsFull() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            for (int batch = 0; batch < 200; batch++) {
                rig.accept(HTTP, "{1}", "{2}", "{" + "3".repeat(3000) + "}");
            }
            rig.disk.room(0);
            for (int turn = 0; turn < 300; turn++) {
                rig.now = rig.now.plusSeconds(60);
                sent(rig);
            }
            assertThat(rig.outbox.view(HTTP)).isEqualTo(QueueView.EMPTY);
            assertThat(rig.received.failures).hasSizeLessThan(3);
        }
    }

    @Test
    void takesNothingMoreWhileTheDiskHasRoomForRemovalsOnly() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}");
            rig.disk.room(0);
            var large = offer(rig, "{" + "3".repeat(500_000) + "}");
            assertThatThrownBy(() -> rig.outbox.accept(large, rig.now)).isInstanceOf(OutboxException.class);
            rig.now = rig.now.plusSeconds(60);
            assertThat(rig.outbox.accept(large, rig.now))
                    .isEqualTo(new WriteResult.Full(List.of(new WriteResult.FullQueue(HTTP, "the disk has no room"))));
            assertThat(rig.outbox.taken(
                            HTTP, rig.outbox.head(HTTP).orElseThrow().id()))
                    .isTrue();
            rig.disk.room(Long.MAX_VALUE);
            assertThat(rig.outbox.accept(large, rig.now)).isEqualTo(TAKEN);
        }
    }

    @Test
    void retriesADiskThatFailsLessAndLessOften() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.disk.failSyncs(Integer.MAX_VALUE);
            var offer = offer(rig, "{1}");
            for (int second = 0; second < 120; second++) {
                rig.now = rig.now.plusSeconds(1);
                assertThatThrownBy(() -> rig.outbox.accept(offer, rig.now)).isInstanceOf(OutboxException.class);
            }
            assertThat(rig.received.failures).hasSizeBetween(4, 14);
        }
    }

    @Test
    void takesAWriteOnceAfterItsSyncFailed() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}");
            rig.disk.failSyncs(1);
            var offer = offer(rig, "{2}");
            assertThatThrownBy(() -> rig.outbox.accept(offer, rig.now)).isInstanceOf(OutboxException.class);
            assertThatThrownBy(() -> rig.outbox.accept(offer, rig.now))
                    .as("before the pause is over")
                    .hasMessageContaining("the next attempt to open it is at");

            rig.now = rig.now.plus(Duration.ofMinutes(1));
            assertThat(rig.outbox.accept(offer, rig.now)).isInstanceOf(WriteResult.Taken.class);
            assertThat(rig.received.findings).containsExactly(new OpeningFinding.WrittenAnew());
            assertThat(rig.received.recoveries).isEqualTo(1);
            rig.killAndOpen();
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2}]}");
        }
    }

    @Test
    void writesTheFileAnewAfterASyncThatFailedJustBeforeTheProcessDied() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}");
            rig.disk.failSyncs(1);
            assertThatThrownBy(() -> rig.outbox.accept(offer(rig, "{2}"), rig.now))
                    .isInstanceOf(OutboxException.class);
            rig.outbox.close();
            rig.disk.restart();
            rig.open();
            assertThat(rig.received.findings).containsExactly(new OpeningFinding.WrittenAnew());
        }
    }

    @Test
    void setsAsideTheOneEventThatRottedAndKeepsTheOthers() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}");
            rig.accept(S3, "{\"rot\":4}");
            rig.accept(S3, "{5}");
            rig.kill();
            assertThat(flip("{\"rot\":4}")).isPositive();
            rig.disk.restart();
            rig.open();

            assertThat(rig.received.findings)
                    .singleElement()
                    .isInstanceOfSatisfying(OpeningFinding.Damaged.class, damage -> {
                        assertThat(damage.setAside()).containsExactly(Map.entry("n/open/scalingevents/s3", 1L));
                        assertThat(damage.unreadablePages()).isZero();
                        assertThat(damage.missingCommits()).isZero();
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
    void setsAsideBatchesThatRotWhileTheyWait() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            for (int batch = 0; batch < 100; batch++) {
                var event = "{\"batch\":" + (1000 + batch) + ",\"" + "x".repeat(20_000) + "\":1}";
                rig.accept(HTTP, event, event, event);
            }
            for (int batch = 0; batch < 50; batch++) {
                assertThat(flip("{\"batch\":" + (1000 + batch))).isPositive();
            }

            int fromCache = takenBefore(rig, "{\"batch\":1050,");
            assertThat(fromCache).isLessThan(50);
            assertThat(rig.outbox.view(HTTP).batches()).isEqualTo(50);
            assertThat(rig.outbox.view(HTTP).quarantined()).isEqualTo(50 - fromCache);
            assertThat(rig.received.failures).isNotEmpty();
        }
    }

    private static int sent(OutboxRig rig) {
        try {
            var head = rig.outbox.head(HTTP);
            return head.isPresent() && rig.outbox.taken(HTTP, head.get().id()) ? 1 : 0;
        } catch (OutboxException failed) {
            return 0;
        }
    }

    /** Takes all batches before that one; returns how many there were. One whose page is still cached does not fail. */
    private static int takenBefore(OutboxRig rig, String batch) throws IOException {
        for (int taken = 0; ; ) {
            try {
                var head = rig.outbox.head(HTTP).orElseThrow();
                if (OutboxRig.text(head.body()).contains(batch)) {
                    return taken;
                }
                taken += rig.outbox.taken(HTTP, head.id()) ? 1 : 0;
            } catch (OutboxException failed) {
                rig.now = rig.now.plusSeconds(60);
            }
        }
    }

    @Test
    void dropsAnEndThatWasTornBeforeItWasAnsweredFor() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}");
            var seal = Files.readAllBytes(directory.resolve("outbox.seal"));
            // Far from both ends of the write, where MVStore itself would not notice it.
            rig.accept(HTTP, "{" + "x".repeat(10_000) + "torn" + "x".repeat(10_000) + "}");
            rig.kill();
            Files.write(directory.resolve("outbox.seal"), seal);
            assertThat(flip("torn")).isPositive();
            rig.disk.restart();
            rig.open();

            assertThat(rig.received.findings).singleElement().isInstanceOf(OpeningFinding.TornEnd.class);
            assertThat(rig.outbox.lastOffer(OutboxRig.SOURCE)).isEqualTo(1);
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2}]}");
        }
    }

    @Test
    void losesNothingWhenGarbageStandsBehindTheEnd() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}");
            rig.kill();
            var garbage = new byte[10_001];
            Arrays.fill(garbage, (byte) 7);
            Files.write(directory.resolve("outbox.mv"), garbage, StandardOpenOption.APPEND);
            rig.disk.restart();
            rig.open();
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2}]}");
            assertThat(rig.received.findings).isEmpty();
        }
    }

    /** Flips one bit in the middle of each occurrence of a text in the file, and returns the number of occurrences. */
    private int flip(String text) throws IOException {
        var file = directory.resolve("outbox.mv");
        var all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        int found = 0;
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            for (int at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
                out.seek(at + text.length() / 2);
                out.write(all.charAt(at + text.length() / 2) ^ 4);
                found++;
            }
        }
        return found;
    }
}
