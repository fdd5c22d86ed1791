package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.launcher.core.Role;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: no request is sent to the addresses of processes that died one after the other, where each would lose some
 * requests. Method: of five ledger processes one is killed while another is frozen, so that this one cannot remove its
 * subscriptions. Then the frozen one is killed too, and agents send requests to the others.
 */
@OnlyWithFaults
class DeadAddressesTest {
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration MENDED = Duration.ofSeconds(90);
    private static final Duration TIDIED = Duration.ofSeconds(3);
    private static final int REQUESTS = 200;
    private static final int PROCESSES = 5;
    private static final Set<Role> LEDGER = Set.of(Role.LEDGER, Role.GATEWAY);
    private static final Set<Role> OBSERVATIONS = Set.of(Role.LEDGER, Role.GATEWAY, Role.LAB, Role.CLUSTER, Role.VM);

    @Test
    @DisplayName("F9: every permit request gets a reply after two crashes in a row")
    void everyRequestGetsAReplyAfterTwoCrashesInARow() {
        var split =
                new Split(Stream.concat(Stream.of(OBSERVATIONS), Collections.nCopies(PROCESSES - 1, LEDGER).stream())
                        .toList());
        try (var cluster = RoleCluster.onLoopback("dead-addresses", split).start()) {
            cluster.awaitReady(READY);
            cluster.within(MENDED, () -> allAnswered(cluster, PROCESSES));

            var hung = cluster.processes().get(PROCESSES - 1);
            hung.freeze();
            cluster.processes().get(PROCESSES - 2).kill();
            ProcessFault.last(TIDIED);
            hung.kill();

            cluster.awaitReady(MENDED);
            cluster.within(MENDED, () -> allAnswered(cluster, PROCESSES - 2));
        }
    }

    /** Each pod has one gateway: two gateways would supersede each other's sessions. */
    private static void allAnswered(RoleCluster cluster, int running) {
        var pods = List.copyOf(cluster.lab().pods().values());
        for (int request = 0; request < REQUESTS; request++) {
            int pod = request % pods.size();
            var place = cluster.processes().get(pod % running).place();
            assertThat(new AgentApiServer(place).request(pods.get(pod)))
                    .as("request %d, of %s", request, place)
                    .isEqualTo("200");
        }
    }
}
