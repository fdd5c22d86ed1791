package io.sluice.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.billing.wire.UsageEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whenever a billing process is killed, its bills and gaps together are all that was to be billed. Method: a real
 * process, {@code kill -9} at random times, at once another process on the same directory, and a receiver that often
 * fails.
 */
@DisplayName("F20: use is billed in whole however often the process is killed")
class KillTest {
    private static final int KILLS = Integer.getInteger("billing.kills", 8);
    private static final int SILENCES = Integer.getInteger("billing.silences", 0);
    private static final long SEED = Long.getLong("billing.seed", 20261122);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void billsAllThatThereWasHoweverOftenItIsKilled() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/sys/kernel/random/boot_id")), "needs a clock that two processes share");
        try (var receiver = new Receiver(SEED)) {
            var kills = new Kills(folder, SEED, receiver);
            long begun = System.nanoTime();
            kills.play(KILLS, SILENCES);
            var evidence = kills.evidence();
            var findings = Audit.of(evidence);
            System.out.printf(
                    "%nkills, seed: %d, %d; in %d s, outbox at the end %d KiB%n%s",
                    KILLS,
                    SEED,
                    (System.nanoTime() - begun) / History.SECOND,
                    kills.outboxBytes() >> 10,
                    findings.figures());

            assertThat(findings.complaints()).as("of what is in %s", folder).isEmpty();
            assertThat(findings.charges()).isGreaterThan(KILLS);
            noticesWhatIsMissing(evidence);
        }
    }

    /** The same evidence without one event; the audit must report the loss. */
    private static void noticesWhatIsMissing(Evidence evidence) {
        var lost = evidence.received().stream()
                .filter(event -> event.value() > 0)
                .findFirst()
                .orElseThrow()
                .idempotencyKey();

        var never = evidence.withReceived(without(evidence.received(), lost));
        assertThat(Audit.of(never).complaints())
                .as("the receiver lost %s", lost)
                .isNotEmpty();
        var nowhere = evidence.withBoth(without(evidence.received(), lost));
        assertThat(Audit.of(nowhere).complaints()).as("%s is nowhere", lost).isNotEmpty();
        assertThat(Audit.of(evidence.withAccount(List.of())).complaints())
                .as("without the gaps")
                .isNotEmpty();
    }

    private static List<UsageEvent> without(List<UsageEvent> events, String key) {
        return events.stream()
                .filter(event -> !event.idempotencyKey().equals(key))
                .toList();
    }
}
