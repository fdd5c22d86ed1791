package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a VM is followed from pod to pod, and nothing is promised twice on the way. Method: a pod is deleted, and a VM
 * migrated, while their guests work; the lab's parts play NeonVM's controllers.
 */
@OnKubernetes
class PodsOnKubernetesTest {
    /** More than four units have. */
    private static final double MUCH = 3;

    private static ControlPlane plane;
    private static Town town;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        town = Town.open(
                plane, Map.of(), node("node-left", 20, vm("restarted"), vm("moved")), node("node-entered", 20));
    }

    @AfterAll
    static void stop() {
        town.close();
        plane.close();
    }

    @Test
    void followsAVmIntoTheNextPodWhenItsPodIsDeleted() {
        town.errands().compute("restarted", MUCH);
        var before = town.settles("restarted", units(4));

        town.endPod(before.podName());

        var after = town.vm("restarted", vm -> vm.restarts() == 1 && vm.settledAt(units(4)));
        assertThat(after.podName()).isNotEqualTo(before.podName());
        assertThat(after.node()).isEqualTo(before.node());
        await().atMost(Town.WITHIN)
                .untilAsserted(() -> assertThat(town.members("restarted"))
                        .singleElement()
                        .satisfies(member -> {
                            assertThat(member.name()).isEqualTo(after.podName());
                            assertThat(member.reserved()).isEqualTo(units(4));
                            assertThat(member.session()).isPositive();
                        }));
        town.errands().rest("restarted");
        assertThat(town.settles("restarted", UNIT).restarts()).isEqualTo(1);
        town.auditsClean();
    }

    @Test
    void followsAVmThatIsMigratedUnderLoad() {
        town.errands().compute("moved", MUCH);
        var before = town.settles("moved", units(4));

        town.client()
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

        await().atMost(Town.WITHIN).until(() -> migrationPhase("by-hand").equals("Succeeded"));
        var after = town.vm("moved", vm -> vm.settledAt(units(4)));
        assertThat(after.node()).isEqualTo("node-entered").isNotEqualTo(before.node());
        assertThat(after.podName()).isNotEqualTo(before.podName());
        assertThat(after.restarts()).isZero();
        assertThat(town.guest("moved").demand())
                .as("its guest never stopped working")
                .isGreaterThan(MUCH);
        await().atMost(Town.WITHIN)
                .untilAsserted(() -> assertThat(town.members("moved"))
                        .singleElement()
                        .satisfies(member -> {
                            assertThat(member.name()).isEqualTo(after.podName());
                            assertThat(member.migrating()).isFalse();
                        }));
        town.errands().rest("moved");
        assertThat(town.settles("moved", UNIT).node()).isEqualTo("node-entered");
        town.auditsClean();
    }

    private static String migrationPhase(String name) {
        var migration = town.client()
                .genericKubernetesResources("vm.neon.tech/v1", "VirtualMachineMigration")
                .inNamespace("default")
                .withName(name)
                .require();
        return String.valueOf(migration.<Object>get("status", "phase"));
    }
}
