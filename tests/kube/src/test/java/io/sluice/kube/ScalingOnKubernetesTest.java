package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.VmState.Revision;
import io.sluice.lab.core.LabVmSizes;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: VMs of NeonVM are scaled on a real API server as its own agent scales them, within bounds that change while
 * they run. Method: a VM each in one fleet; its guest works or rests as it is told, and whoever owns it speaks kubectl.
 */
@OnKubernetes
class ScalingOnKubernetesTest {
    /** More than any of them may have. */
    private static final double MUCH = 3;

    private static final String BOUNDS = "autoscaling.neon.tech/bounds";

    /** It has nothing to be told at first. */
    private static final LabVmSizes CONTENT = new LabVmSizes(UNIT, units(4), units(5), UNIT);

    private static final LabVmSizes ROOMY = new LabVmSizes(UNIT, units(4), units(10), UNIT);

    private static ControlPlane plane;
    private static Kubectl kubectl;
    private static Town town;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        kubectl = new Kubectl(folder, plane.admin());
        town = new Town(
                plane.admin(),
                plane.admin(),
                Map.of(),
                node(
                        "node-scaling",
                        100,
                        vm("example"),
                        vm("revised").sized(CONTENT),
                        vm("bounded").sized(ROOMY)));
        target("revised", 123, 456);
        // Who takes over a VM that has not become what it was told yet tells it anew, by a number of its own.
        town.vm("revised", vm -> vm.current().equals(new Revision(123, 456)));
        town.open(Town.ALL);
    }

    @AfterAll
    static void stop() {
        town.close();
        plane.close();
    }

    @Test
    void scalesWithinItsBoundsWhateverItWasBuiltFor() {
        assertThat(town.settles("example", UNIT).restarts()).isZero();

        town.errands().compute("example", MUCH);
        town.settles("example", units(4));
        assertThat(town.guest("example").demand()).isGreaterThan(MUCH);

        town.errands().rest("example");
        assertThat(town.settles("example", UNIT).restarts()).isZero();
        town.auditsClean();
    }

    @Test
    void revisionsAreComparedForEqualityAndGoOnFromTheLastOne() {
        await().atMost(Town.WITHIN)
                .until(() -> town.members("revised").stream().anyMatch(member -> member.session() > 0));

        target("revised", 1, 123);
        town.vm("revised", vm -> vm.current().equals(new Revision(1, 123)));

        town.errands().compute("revised", MUCH);
        var grown = town.settles("revised", units(4));
        assertThat(grown.target().value())
                .as("a goal of its own is beyond any that the VM was told before")
                .isGreaterThan(123);
        assertThat(grown.target().flags()).as("it was told to grow").isEqualTo(1);
        assertThat(town.vm("revised", vm -> vm.current().equals(vm.target())).is())
                .isEqualTo(units(4));

        town.errands().rest("revised");
        assertThat(town.settles("revised", UNIT).target().flags())
                .as("it was told to shrink")
                .isEqualTo(2);
    }

    @Test
    void boundsThatChangeAreHeededAtOnceAndThoseThatAreNoGoodChangeNothing() {
        town.errands().compute("bounded", MUCH);
        town.settles("bounded", units(4));

        bounds("bounded", 1, 6);
        town.settles("bounded", units(6));
        bounds("bounded", 1, 3);
        town.settles("bounded", units(3));

        town.errands().rest("bounded");
        town.settles("bounded", UNIT);
        bounds("bounded", 2, 3);
        town.settles("bounded", units(2));

        annotate("bounded", BOUNDS, "{\"min\":{\"cpu\":\"250m\",\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"much\"}}");
        var event = town.event("bounded", "ConfigRefused");
        assertThat(event.getType()).isEqualTo("Warning");
        assertThat(event.getMessage()).contains("bounds");
        town.errands().compute("bounded", MUCH);
        town.settles("bounded", units(3));
        town.errands().rest("bounded");
        town.settles("bounded", units(2));
        town.auditsClean();
    }

    private static void target(String vm, long value, long flags) {
        patch(
                vm,
                new JsonObject()
                        .put(
                                "spec",
                                new JsonObject()
                                        .put(
                                                "targetRevision",
                                                new JsonObject()
                                                        .put(
                                                                "revision",
                                                                new JsonObject()
                                                                        .put("value", value)
                                                                        .put("flags", flags))
                                                        .put("updatedAt", "2026-01-02T03:04:05Z"))));
    }

    private static void bounds(String vm, int min, int max) {
        annotate(
                vm,
                BOUNDS,
                new JsonObject().put("min", bound(min)).put("max", bound(max)).encode());
    }

    private static JsonObject bound(int units) {
        return new JsonObject().put("cpu", units * 250 + "m").put("mem", units + "Gi");
    }

    private static void annotate(String vm, String key, String value) {
        patch(
                vm,
                new JsonObject()
                        .put("metadata", new JsonObject().put("annotations", new JsonObject().put(key, value))));
    }

    private static void patch(String vm, JsonObject change) {
        kubectl.run("patch", "neonvm", vm, "--namespace=default", "--type=merge", "--patch=" + change);
    }
}
