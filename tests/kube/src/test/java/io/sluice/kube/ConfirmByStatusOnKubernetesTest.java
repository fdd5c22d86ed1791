package io.sluice.kube;

import static io.sluice.kube.KubeStage.UNIT;
import static io.sluice.kube.KubeStage.WAIT;
import static io.sluice.kube.KubeStage.node;
import static io.sluice.kube.KubeStage.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: with {@code agent.confirmBy: status} a size counts as used once the VM's status shows it, and not before; by
 * default the patch confirms it. Method: on a real API server, a VM whose controller applies nothing for some time,
 * while its load rises and falls.
 */
@OnKubernetes
class ConfirmByStatusOnKubernetesTest {
    /** More vCPUs than the minimum has. */
    private static final double MUCH = 2;

    private static final Resources LEAST = UNIT;

    private static ControlPlane plane;

    private KubeStage stage;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @AfterEach
    void close() {
        var breach = stage.lab.audit().firstBreach();
        stage.close();
        assertThat(breach).isEmpty();
    }

    @Test
    void theNextGoalWaitsForTheStatusOfTheLast() {
        grownWhileNothingIsApplied(Map.of("sluice.agent.confirmBy", "status", "sluice.agent.confirmTimeout", "10m"));
        var reported = spec();

        stage.awaitStatus("db", requests(LEAST).negate());
        stage.lab.work().rest("db");
        var waiting = stage.awaitStatus("db", requests(LEAST).and(status -> status.waiting() == Waiting.PATCH));
        assertThat(waiting.size()).isEqualTo(LEAST);
        assertThat(spec()).isEqualTo(reported);
        assertThat(reserved().milliCpu()).isGreaterThanOrEqualTo(reported);

        stage.lab.faults().heal("db");
        await().atMost(WAIT).until(() -> spec() == LEAST.milliCpu());
        await().atMost(WAIT).until(() -> reserved().equals(LEAST));
    }

    @Test
    void byDefaultAPatchIsAsGoodAsDone() {
        grownWhileNothingIsApplied(Map.of());

        // The size may be patched in several steps on the way up.
        stage.awaitStatus(
                "db", status -> status.size().exceeds(LEAST) && status.size().milliCpu() == spec());
        stage.lab.work().rest("db");
        await().atMost(WAIT).until(() -> spec() == LEAST.milliCpu());
        assertThat(stage.vm("db").at("/status/cpus").asText())
                .as("and nothing was applied")
                .isEqualTo("250m");
    }

    /** Lets an idle VM shrink to its minimum; then stops its controller, and raises its load. */
    private void grownWhileNothingIsApplied(Map<String, String> changes) {
        stage = new KubeStage(plane.admin(), changes, node("node-a", 40, vm("db", false)));
        stage.start();
        stage.awaitVm("db", "/status/cpus", "250m");
        stage.lab.faults().statusStuck("db");
        stage.lab.work().compute("db", MUCH);
        await().atMost(WAIT).until(() -> spec() > LEAST.milliCpu());
    }

    private static Predicate<RunnerStatus> requests(Resources goal) {
        return status -> status.goal().filter(goal::equals).isPresent();
    }

    /** The VM's CPU in its spec, in thousandths. */
    private long spec() {
        return Quantities.milliCpu(stage.vm("db").at("/spec/guest/cpus/use").asText());
    }

    private Resources reserved() {
        return stage.ledger().stream()
                .flatMap(ledger -> ledger.reservations().stream())
                .filter(reservation -> reservation.vmName().equals("db"))
                .findFirst()
                .orElseThrow()
                .reserved();
    }
}
