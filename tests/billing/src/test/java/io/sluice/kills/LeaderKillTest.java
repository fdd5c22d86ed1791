package io.sluice.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.billing.wire.UsageEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a leader that is killed, with or without its disk, loses nothing, and nothing is billed twice. Method: three
 * real processes in a Hazelcast cluster, {@code kill -9} of the leader at random times, and a receiver that often fails
 * and keeps the first event of each key.
 */
@DisplayName("F20: the leader is killed, and the next one bills all that there was")
class LeaderKillTest {
    private static final int KILLS = Integer.getInteger("billing.leader-kills", 3);
    private static final long SEED = Long.getLong("billing.seed", 20261122);

    /** Twice the goal: a process that has ended is removed from the member list within 10 s. */
    private static final double FAIL_OVER_MOST_S = 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void theNextLeaderBillsAllThatThereWas() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/sys/kernel/random/boot_id")), "needs a clock that processes share");
        try (var receiver = new Receiver(SEED)) {
            var kills = new LeaderKills(folder, SEED, receiver);
            kills.play(KILLS);
            var audit = audit(kills, receiver.taken());
            System.out.printf("%nkills of the leader, seed: %d, %d%n%s", KILLS, SEED, audit.figures());

            assertThat(receiver.strange()).isEmpty();
            assertThat(audit.complaints()).as("of what is in %s", folder).isEmpty();
            assertThat(audit.longestGap()).isLessThanOrEqualTo(FAIL_OVER_MOST_S);
            assertThat(audit.keys()).isGreaterThan(KILLS);
            noticesWhatIsMissing(kills, receiver);
        }
    }

    /** The same without one window of all VMs. */
    private static void noticesWhatIsMissing(LeaderKills kills, Receiver receiver) throws Exception {
        var taken = receiver.taken();
        var lost = taken.get(taken.size() / 4).startTime().truncatedTo(ChronoUnit.SECONDS);
        var rest = taken.stream()
                .filter(event ->
                        !event.startTime().truncatedTo(ChronoUnit.SECONDS).equals(lost))
                .toList();
        assertThat(audit(kills, rest).complaints())
                .as("without the window from %s", lost)
                .isNotEmpty();
    }

    private static LeaderAudit audit(LeaderKills kills, List<UsageEvent> received) throws IOException {
        return new LeaderAudit(kills.history(), kills.observers(), received, kills.gaps());
    }
}
