package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.fd.DeadlineClusterFailureDetector;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Hazelcast checks heartbeats every second, and once more while a member joins. With its default way to join, a master
 * that finds a member silent in that second check suspects the member and never removes it.
 */
class SilentMemberTest {
    private final Members members = new Members(3);

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    void aMemberThatIsFoundSilentWhileAnotherJoinsIsRemoved() throws ReflectiveOperationException {
        var master = members.startLite();
        var silent = members.startLite().getCluster().getLocalMember().getUuid();
        findSilentDuringJoins(master, silent);

        var joining = members.startLite();

        assertThat(uuids(master)).contains(joining.getCluster().getLocalMember().getUuid());
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(uuids(master)).doesNotContain(silent));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(uuids(joining)).doesNotContain(silent));
    }

    /** Replaces the master's failure detector. Its thread tells which of the checks asks. */
    private static void findSilentDuringJoins(HazelcastInstance master, UUID silent)
            throws ReflectiveOperationException {
        var manager = Replicas.nodeOf(master).getClusterService().getClusterHeartbeatManager();
        var detector = manager.getClass().getDeclaredField("heartbeatFailureDetector");
        detector.setAccessible(true);
        detector.set(
                manager,
                new DeadlineClusterFailureDetector(Duration.ofMinutes(1).toMillis()) {
                    @Override
                    public boolean isAlive(Member member, long timestamp) {
                        return !member.getUuid().equals(silent)
                                || !Thread.currentThread().getName().contains("operation");
                    }
                });
    }

    private static Iterable<UUID> uuids(HazelcastInstance instance) {
        return instance.getCluster().getMembers().stream().map(Member::getUuid).toList();
    }
}
