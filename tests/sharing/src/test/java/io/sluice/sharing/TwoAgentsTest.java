package io.sluice.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.agent.Decision;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.Peer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two agents serve one VM, as neither sees the other, with a real ledger, driver and monitor: only the runner that
 * claimed the VM last is served. Once they see each other, one of them serves it, and the other has stopped.
 */
@ExtendWith(VertxExtension.class)
class TwoAgentsTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final FakePeers one = new FakePeers("p1", "agent");
    private final FakePeers two = new FakePeers("p2", "agent");
    private final FakePeers monitors = new FakePeers("p3", "monitor");
    private Premises premises;
    private Writes writes;

    @BeforeEach
    void open(Vertx vertx) {
        premises = new Premises(vertx, monitors);
        writes = premises.writes;
    }

    @AfterEach
    void close() {
        premises.close();
    }

    @Test
    @DisplayName("F5: of two agents for one VM the older is fenced out")
    void theOlderRunnerIsShutOutAndOneServesInTheEnd() {
        one.observes(monitors.self());
        two.observes(monitors.self());
        var first = premises.agent(one);
        await().atMost(WITHIN).until(() -> writes.patches().size() >= 2);
        var older = writes.claims().getFirst();

        var second = premises.agent(two);
        await().atMost(WITHIN)
                .until(() -> writes.claims().stream()
                        .anyMatch(claim -> !claim.process().equals(older.process())));
        await().atMost(WITHIN)
                .until(() ->
                        premises.decisions.stream().anyMatch(decision -> decision.kind() == Decision.Kind.SUPERSEDED));
        // Each takes the VM back after a wait, so both make further claims.
        await().atMost(WITHIN)
                .until(() -> writes.claims().stream()
                                .filter(claim -> claim.process().equals(older.process()))
                                .count()
                        >= 2);
        noOlderRunnerWrote();

        one.observes(two.self(), monitors.self());
        two.observes(one.self(), monitors.self());
        boolean firstHolds = new Assignment(one, "agent").mine(Premises.VM);
        var holder = firstHolds ? first : second;
        var other = firstHolds ? second : first;
        await().atMost(WITHIN).until(() -> other.hosted().isEmpty() && holder.serving() == 1);
        long claims = claimsBy(older.process(), !firstHolds);
        int patches = writes.patches().size();
        await().atMost(WITHIN).until(() -> writes.patches().size() >= patches + 2);
        assertThat(claimsBy(older.process(), !firstHolds))
                .as("it claims no more")
                .isEqualTo(claims);
        noOlderRunnerWrote();
        assertThat(other.serving()).isZero();
    }

    @Test
    void aVmGoesOnBeingScaledWhileItIsHandedToAndFro() {
        one.observes(monitors.self());
        two.observes(rivalOf(two), monitors.self());
        var first = premises.agent(one);
        var second = premises.agent(two);
        for (int turn = 0; turn < 2; turn++) {
            isScaledBy(first, second);
            one.observes(rivalOf(one), monitors.self());
            two.observes(monitors.self());
            isScaledBy(second, first);
            two.observes(rivalOf(two), monitors.self());
            one.observes(monitors.self());
        }
        isScaledBy(first, second);
        noOlderRunnerWrote();
        assertThat(writes.claims()).hasSize(5);
        assertThat(premises.decisions)
                .extracting(Decision::kind)
                .as("no runner was shut out: each had stopped before")
                .doesNotContain(Decision.Kind.SUPERSEDED);
    }

    /** How many claims that process made, or all others. */
    private long claimsBy(String process, boolean its) {
        return writes.claims().stream()
                .filter(claim -> claim.process().equals(process) == its)
                .count();
    }

    private void noOlderRunnerWrote() {
        var writers = writes.patches().stream().map(Writes.Patch::owner).toList();
        assertThat(writes.claims())
                .extracting(Writes.Claim::owner)
                .as("the writer has claimed the VM")
                .containsAll(writers);
        assertThat(writes.byOlderRunners()).isEmpty();
    }

    private void isScaledBy(Premises.Agent holder, Premises.Agent other) {
        await().atMost(WITHIN)
                .until(() -> holder.serving() == 1 && other.hosted().isEmpty());
        int patches = writes.patches().size();
        await().atMost(WITHIN).until(() -> writes.patches().size() > patches);
    }

    /** A process to which the VM is assigned in place of this one. */
    private static Peer rivalOf(FakePeers process) {
        for (int i = 0; ; i++) {
            var rival = new FakePeers("q" + i, "agent");
            rival.observes(process.self());
            if (new Assignment(rival, "agent").mine(Premises.VM)) {
                return rival.self();
            }
        }
    }
}
