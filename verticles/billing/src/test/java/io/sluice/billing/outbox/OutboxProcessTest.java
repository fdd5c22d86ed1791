package io.sluice.billing.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a killed process loses nothing that it accepted, nor does one whose disk does not sync, and a million waiting
 * events need little memory. Method: a real process, killed at random times or writes, on a disk that fails, or with a
 * small heap. {@code -Doutbox.kills} and {@code -Doutbox.events} set the length.
 */
@DisplayName("F19: the outbox of a process that is killed, or whose disk fails, keeps accepted events")
class OutboxProcessTest {
    private static final int KILLS = Integer.getInteger("outbox.kills", 8);
    private static final long EVENTS = Long.getLong("outbox.events", 200_000);
    private static final Pattern NUMBER = Pattern.compile("\"number\":(\\d+)");

    @TempDir
    private Path directory;

    @Test
    void losesNothingThatItAcceptedHoweverOftenItIsKilled() throws IOException {
        var random = new Random(20250304);
        long accepted = -1;
        for (int kill = 0; kill < KILLS; kill++) {
            try (var process = OutboxProcess.start(directory, "64m", Long.MAX_VALUE, 7, Map.of())) {
                for (int i = random.nextInt(300); i >= 0; i--) {
                    accepted = process.nextAccepted();
                }
                process.kill();
                accepted = process.lastAccepted(accepted);
            }
        }
        assertThat(accepted).isPositive();
        assertThat(lastInOrder()).isGreaterThanOrEqualTo(accepted);
    }

    @Test
    void keepsAMillionEventsInLittleMemory() throws Exception {
        try (var process = OutboxProcess.start(directory, "40m", EVENTS, 1000, Map.of())) {
            assertThat(process.lastAccepted(-1)).isEqualTo(EVENTS - 1);
            assertThat(process.await()).isZero();
        }
        assertThat(lastInOrder()).isEqualTo(EVENTS - 1);
    }

    @Test
    void losesNothingWhenItIsKilledInTheMiddleOfAWriteToTheDisk() throws IOException {
        var variables = new HashMap<>(Faults.preload(Files.createDirectory(directory.resolve("faults"))));
        var random = new Random(20250304);
        long accepted = -1;
        for (int kill = 0; kill < KILLS; kill++) {
            variables.put("FAULT_WRITE", Integer.toString(1 + random.nextInt(300)));
            try (var process = OutboxProcess.start(directory, "64m", Long.MAX_VALUE, 7, variables)) {
                accepted = process.lastAccepted(accepted);
            }
        }
        assertThat(accepted).isPositive();
        assertThat(lastInOrder()).isGreaterThanOrEqualTo(accepted);
    }

    @Test
    void writesANewFileAfterSyncsFailedAndLosesNothing() throws IOException {
        var variables = new HashMap<>(Faults.preload(Files.createDirectory(directory.resolve("faults"))));
        variables.putAll(Map.of("FAULT_SYNC_FROM", "40", "FAULT_SYNCS", "3"));
        long accepted = -1;
        try (var process = OutboxProcess.start(directory, "64m", 2000, 7, variables)) {
            accepted = process.lastAccepted(accepted);
        }
        assertThat(accepted).isGreaterThan(1990);
        assertThat(directory.resolve("outbox-1.db")).doesNotExist();
        assertThat(lastInOrder()).isEqualTo(accepted);
    }

    @Test
    void writesANewFileThoughTheProcessDiesAfterItsSyncFailed() throws IOException {
        var variables = new HashMap<>(Faults.preload(Files.createDirectory(directory.resolve("faults"))));
        variables.putAll(Map.of("FAULT_SYNC_FROM", "40", "FAULT_SYNCS", "1000000"));
        long accepted = -1;
        try (var process = OutboxProcess.start(directory, "64m", 2000, 7, variables)) {
            for (long next = process.nextAccepted(); next >= 0; next = process.nextAccepted()) {
                accepted = next;
            }
        }
        assertThat(accepted).isPositive();
        var received = new ReceivedEvents();
        Outbox.open(directory, OutboxProcess.options(), received).close();
        assertThat(received.findings).isEqualTo(List.of(new OpeningFinding.WrittenAnew()));
        assertThat(lastInOrder()).isGreaterThanOrEqualTo(accepted);
    }

    /** Reads everything, checks that each number is there once and in order, and returns the last one. */
    private long lastInOrder() throws IOException {
        long next = 0;
        var received = new ReceivedEvents();
        try (var outbox = Outbox.open(directory, OutboxProcess.options(), received)) {
            outbox.closeOpen(OutboxProcess.QUEUE, OutboxRig.NOW);
            for (var head = outbox.head(OutboxProcess.QUEUE);
                    head.isPresent();
                    head = outbox.head(OutboxProcess.QUEUE)) {
                var numbers = NUMBER.matcher(OutboxRig.text(head.get().body()));
                while (numbers.find()) {
                    assertThat(Long.parseLong(numbers.group(1))).isEqualTo(next);
                    next++;
                }
                outbox.taken(OutboxProcess.QUEUE, head.get().id());
            }
        }
        assertThat(received.findings).isEmpty();
        return next - 1;
    }
}
