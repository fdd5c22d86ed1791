package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.VmState.Revision;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
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
 * they run. Method: one VM for each case in one fleet; its guest works or is idle on request, and its owner uses
 * kubectl.
 */
@OnKubernetes
class ScalingOnKubernetesTest {
    /** More vCPUs than any of them may have. */
    private static final double MUCH = 3;

    private static final String BOUNDS = "autoscaling.neon.tech/bounds";

    /** A VM that needs no patch at first. */
    private static final LabVmSizes CONTENT = new LabVmSizes(UNIT, units(4), units(5), UNIT);

    private static final LabVmSizes ROOMY = new LabVmSizes(UNIT, units(4), units(10), UNIT);

    private static ControlPlane plane;
    private static Kubectl kubectl;
    private static KubeFleet fleet;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        kubectl = new Kubectl(folder, plane.admin());
        fleet = new KubeFleet(
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
        // A runner that takes over a VM without its desired size patches it anew, with a revision of its own.
        fleet.vm("revised", vm -> vm.current().equals(new Revision(123, 456)));
        fleet.open(KubeFleet.ALL);
    }

    @AfterAll
    static void stop() {
        fleet.close();
        plane.close();
    }

    @Test
    void scalesWithinItsBoundsWhateverItWasBuiltFor() {
        assertThat(fleet.settles("example", UNIT).restarts()).isZero();

        fleet.work().compute("example", MUCH);
        fleet.settles("example", units(4));
        assertThat(fleet.guest("example").demand()).isGreaterThan(MUCH);

        fleet.work().rest("example");
        assertThat(fleet.settles("example", UNIT).restarts()).isZero();
        fleet.auditsClean();
    }

    @Test
    void revisionsAreComparedForEqualityAndGoOnFromTheLastOne() {
        await().atMost(KubeFleet.WITHIN)
                .until(() -> fleet.members("revised").stream().anyMatch(reservation -> reservation.session() > 0));

        target("revised", 1, 123);
        fleet.vm("revised", vm -> vm.current().equals(new Revision(1, 123)));

        fleet.work().compute("revised", MUCH);
        var grown = fleet.settles("revised", units(4));
        assertThat(grown.target().value())
                .as("a goal of its own is beyond any that was patched before")
                .isGreaterThan(123);
        assertThat(grown.target().flags()).as("it was patched to grow").isEqualTo(1);
        assertThat(fleet.vm("revised", vm -> vm.current().equals(vm.target())).is())
                .isEqualTo(units(4));

        fleet.work().rest("revised");
        assertThat(fleet.settles("revised", UNIT).target().flags())
                .as("it was patched to shrink")
                .isEqualTo(2);
    }

    @Test
    void boundsThatChangeAreHeededAtOnceAndThoseThatAreNoGoodChangeNothing() {
        fleet.work().compute("bounded", MUCH);
        fleet.settles("bounded", units(4));

        bounds("bounded", 1, 6);
        fleet.settles("bounded", units(6));
        bounds("bounded", 1, 3);
        fleet.settles("bounded", units(3));

        fleet.work().rest("bounded");
        fleet.settles("bounded", UNIT);
        bounds("bounded", 2, 3);
        fleet.settles("bounded", units(2));

        annotate("bounded", BOUNDS, "{\"min\":{\"cpu\":\"250m\",\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"much\"}}");
        var event = fleet.event("bounded", "ConfigRefused");
        assertThat(event.getType()).isEqualTo("Warning");
        assertThat(event.getMessage()).contains("bounds");
        fleet.work().compute("bounded", MUCH);
        fleet.settles("bounded", units(3));
        fleet.work().rest("bounded");
        fleet.settles("bounded", units(2));
        fleet.auditsClean();
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
