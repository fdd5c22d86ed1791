package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a VM is followed from pod to pod, and no room is granted twice on the way. Method: a pod is deleted, and a VM
 * migrated, while their guests work; the lab's parts act as NeonVM's controllers.
 */
@OnKubernetes
class PodsOnKubernetesTest {
    /** More vCPUs than four units have. */
    private static final double MUCH = 3;

    private static ControlPlane plane;
    private static KubeFleet fleet;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        fleet = KubeFleet.open(
                plane, Map.of(), node("node-left", 20, vm("restarted"), vm("moved")), node("node-entered", 20));
    }

    @AfterAll
    static void stop() {
        fleet.close();
        plane.close();
    }

    @Test
    void followsAVmIntoTheNextPodWhenItsPodIsDeleted() {
        fleet.work().compute("restarted", MUCH);
        var before = fleet.settles("restarted", units(4));

        fleet.endPod(before.podName());

        var after = fleet.vm("restarted", vm -> vm.restarts() == 1 && vm.settledAt(units(4)));
        assertThat(after.podName()).isNotEqualTo(before.podName());
        assertThat(after.node()).isEqualTo(before.node());
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(fleet.members("restarted"))
                        .singleElement()
                        .satisfies(reservation -> {
                            assertThat(reservation.name()).isEqualTo(after.podName());
                            assertThat(reservation.reserved()).isEqualTo(units(4));
                            assertThat(reservation.session()).isPositive();
                        }));
        fleet.work().rest("restarted");
        assertThat(fleet.settles("restarted", UNIT).restarts()).isEqualTo(1);
        fleet.auditsClean();
    }

    @Test
    void followsAVmThatIsMigratedUnderLoad() {
        fleet.work().compute("moved", MUCH);
        var before = fleet.settles("moved", units(4));

        fleet.client()
                .resource(new GenericKubernetesResourceBuilder()
                        .withApiVersion("vm.neon.tech/v1")
                        .withKind("VirtualMachineMigration")
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("by-hand")
                        .endMetadata()
                        .addToAdditionalProperties(
                                "spec", Map.of("vmName", "moved", "preventMigrationToSameHost", true))
                        .build())
                .create();

        await().atMost(KubeFleet.WITHIN).until(() -> migrationPhase("by-hand").equals("Succeeded"));
        var after = fleet.vm("moved", vm -> vm.settledAt(units(4)));
        assertThat(after.node()).isEqualTo("node-entered").isNotEqualTo(before.node());
        assertThat(after.podName()).isNotEqualTo(before.podName());
        assertThat(after.restarts()).isZero();
        assertThat(fleet.guest("moved").demand())
                .as("its guest never stopped working")
                .isGreaterThan(MUCH);
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(fleet.members("moved"))
                        .singleElement()
                        .satisfies(reservation -> {
                            assertThat(reservation.name()).isEqualTo(after.podName());
                            assertThat(reservation.migrating()).isFalse();
                        }));
        fleet.work().rest("moved");
        assertThat(fleet.settles("moved", UNIT).node()).isEqualTo("node-entered");
        fleet.auditsClean();
    }

    private static String migrationPhase(String name) {
        var migration = fleet.client()
                .genericKubernetesResources("vm.neon.tech/v1", "VirtualMachineMigration")
                .inNamespace("default")
                .withName(name)
                .require();
        return String.valueOf(migration.<Object>get("status", "phase"));
    }
}
