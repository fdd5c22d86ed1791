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
 * Goal: addresses of processes that died one after the other are not asked any more, where each would swallow its share
 * of the questions. Method: of five that keep books one is killed while another stands still, so that nobody can tidy
 * up behind it; then that one is killed too, and agents ask the others.
 */
@OnlyWithFaults
class DeadAddressesTest {
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration MENDED = Duration.ofSeconds(90);
    private static final Duration TIDIED = Duration.ofSeconds(3);
    private static final int QUESTIONS = 200;
    private static final int PROCESSES = 5;
    private static final Set<Role> BOOKS = Set.of(Role.LEDGER, Role.GATEWAY);
    private static final Set<Role> FACTS = Set.of(Role.LEDGER, Role.GATEWAY, Role.LAB, Role.CLUSTER, Role.VM);

    @Test
    @DisplayName("F9: every permit request is answered after two crashes in a row")
    void everyQuestionIsAnsweredAfterTwoCrashesInARow() {
        var split = new Split(Stream.concat(Stream.of(FACTS), Collections.nCopies(PROCESSES - 1, BOOKS).stream())
                .toList());
        try (var cluster = RoleCluster.onLoopback("dead-addresses", split).start()) {
            cluster.awaitReady(READY);
            cluster.within(MENDED, () -> allAnswered(cluster, PROCESSES));

            var hung = cluster.processes().get(PROCESSES - 1);
            hung.freeze();
            cluster.processes().get(PROCESSES - 2).kill();
            Blow.last(TIDIED);
            hung.kill();

            cluster.awaitReady(MENDED);
            cluster.within(MENDED, () -> allAnswered(cluster, PROCESSES - 2));
        }
    }

    /** Each pod has one gateway: two would take its VM from each other. */
    private static void allAnswered(RoleCluster cluster, int running) {
        var pods = List.copyOf(cluster.lab().pods().values());
        for (int question = 0; question < QUESTIONS; question++) {
            int pod = question % pods.size();
            var place = cluster.processes().get(pod % running).place();
            assertThat(new AgentApiServer(place).ask(pods.get(pod)))
                    .as("question %d, of %s", question, place)
                    .isEqualTo("200");
        }
    }
}
