package io.sluice.kube;

import static io.sluice.kube.KubeStage.UNIT;
import static io.sluice.kube.KubeStage.WAIT;
import static io.sluice.kube.KubeStage.node;
import static io.sluice.kube.KubeStage.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
 * Goal: with {@code agent.confirmBy: status} a size counts as used once the VM's status says so, and not before; the
 * default takes the patch for it. Method: on a real API server, a VM whose controller applies nothing for a while, and
 * whose load comes and goes meanwhile.
 */
@OnKubernetes
class ConfirmByStatusOnKubernetesTest {
    /** More than the least has, in vCPUs. */
    private static final double MUCH = 2;

    private static final Resources LEAST = UNIT;

    private static ControlPlane plane;

    private KubeStage house;

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
        var breach = house.lab.audit().firstBreach();
        house.close();
        assertThat(breach).isEmpty();
    }

    @Test
    void theNextGoalWaitsForTheStatusOfTheLast() {
        grownWhileNothingIsApplied(Map.of("sluice.agent.confirmBy", "status", "sluice.agent.confirmTimeout", "10m"));
        var told = spec();

        house.awaitStatus("db", wants(LEAST).negate());
        house.lab.errands().rest("db");
        var waiting = house.awaitStatus("db", wants(LEAST).and(status -> status.waiting() == Waiting.PATCH));
        assertThat(waiting.size()).isEqualTo(LEAST);
        assertThat(spec()).isEqualTo(told);
        assertThat(booked().milliCpu()).isGreaterThanOrEqualTo(told);

        house.lab.faults().heal("db");
        await().atMost(WAIT).until(() -> spec() == LEAST.milliCpu());
        await().atMost(WAIT).until(() -> booked().equals(LEAST));
    }

    @Test
    void byDefaultAPatchIsAsGoodAsDone() {
        grownWhileNothingIsApplied(Map.of());

        // It may be told more than once on the way up.
        house.awaitStatus(
                "db", status -> status.size().exceeds(LEAST) && status.size().milliCpu() == spec());
        house.lab.errands().rest("db");
        await().atMost(WAIT).until(() -> spec() == LEAST.milliCpu());
        assertThat(house.vm("db").at("/status/cpus").asText())
                .as("and nothing was applied")
                .isEqualTo("250m");
    }

    /** A calm VM shrinks to its least; then nothing is applied to it any more, and it works. */
    private void grownWhileNothingIsApplied(Map<String, String> changes) {
        house = new KubeStage(plane.admin(), changes, node("node-a", 40, vm("db", false)));
        house.start();
        house.awaitVm("db", "/status/cpus", "250m");
        house.lab.faults().statusStuck("db");
        house.lab.errands().compute("db", MUCH);
        await().atMost(WAIT).until(() -> spec() > LEAST.milliCpu());
    }

    private static Predicate<RunnerStatus> wants(Resources goal) {
        return status -> status.goal().filter(goal::equals).isPresent();
    }

    /** What the VM was told to be, in thousandths of a CPU. */
    private long spec() {
        return Quantities.milliCpu(house.vm("db").at("/spec/guest/cpus/use").asText());
    }

    private Resources booked() {
        return house.books().stream()
                .flatMap(books -> books.members().stream())
                .filter(member -> member.vmName().equals("db"))
                .findFirst()
                .orElseThrow()
                .reserved();
    }
}
