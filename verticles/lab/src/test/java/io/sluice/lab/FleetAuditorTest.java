package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.core.AuditedVm;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Goal: the auditor reads a VM's node and size from the objects alone. Method: lists of objects. */
class FleetAuditorTest {
    @Test
    void aVmIsWhereItsPodIsWhateverItsStatusShows() {
        assertThat(read(pod("db-1", "n2")).node()).isEqualTo("n2");
    }

    @Test
    void aVmRunsNowhereWhenItsPodIsGone() {
        assertThat(read(pod("other-0", "n1")).node()).isEmpty();
    }

    @Test
    void aVmUsesTheLargerOfItsDesiredAndItsActualSize() {
        assertThat(read(pod("db-1", "n2")).using()).isEqualTo(new Resources(1000, 4L << 30));
    }

    @Test
    void aPodThatARunnerHasClaimedUsesTheMostOfItsSpecAndWhatItsKubeletReports() {
        var label = "\"autoscaling.sluice.io/enabled\":\"true\"";
        var fence = "\"internal.autoscaling.sluice.io/fence\":\"r1+7/0\"";

        assertThat(FleetAuditor.vms(list(vm()), list(scaledPod(label, ""))))
                .as("before it is claimed")
                .doesNotContainKey("redis-0");
        assertThat(FleetAuditor.vms(list(vm()), list(scaledPod("\"vm.neon.tech/name\":\"db\"", fence))))
                .as("a runner pod, with the annotations of its VM")
                .doesNotContainKey("redis-0");
        assertThat(FleetAuditor.vms(list(vm()), list(scaledPod("", fence))))
                .as("without its label")
                .containsKey("redis-0");
        assertThat(FleetAuditor.vms(list(vm()), list(scaledPod(label, fence))))
                .containsEntry("redis-0", new AuditedVm("redis-0", 9, "redis-0", "n1", new Resources(1_000, 3L << 30)));
    }

    private static JsonObject scaledPod(String labels, String annotations) {
        return new JsonObject("""
            {"metadata":{"name":"redis-0","resourceVersion":"9","labels":{%s},"annotations":{%s}},
             "spec":{"nodeName":"n1","containers":[{"resources":{"requests":{"cpu":"500m","memory":"1Gi"}}}]},
             "status":{"containerStatuses":[{"allocatedResources":{"cpu":"1","memory":"2Gi"},
               "resources":{"requests":{"cpu":"250m","memory":"3Gi"}}}]}}\
            """.formatted(labels, annotations));
    }

    private static AuditedVm read(JsonObject pod) {
        return FleetAuditor.vms(list(vm()), list(pod)).get("db");
    }

    private static JsonObject list(JsonObject item) {
        return new JsonObject().put("items", new JsonArray().add(item));
    }

    private static JsonObject pod(String name, String node) {
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", name))
                .put("spec", new JsonObject().put("nodeName", node));
    }

    private static JsonObject vm() {
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", "db").put("resourceVersion", "7"))
                .put(
                        "spec",
                        new JsonObject()
                                .put(
                                        "guest",
                                        new JsonObject()
                                                .put("cpus", new JsonObject().put("use", 1))
                                                .put("memorySlotSize", "1Gi")
                                                .put("memorySlots", new JsonObject().put("use", 2))))
                .put(
                        "status",
                        new JsonObject()
                                .put("podName", "db-1")
                                .put("node", "n1")
                                .put("cpus", "500m")
                                .put("memorySize", "4Gi"));
    }
}
