package io.sluice.lab;

import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabPod;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.core.LabVmSizes;
import io.sluice.lab.guest.Guest;
import io.sluice.lab.kubelet.KubeletStandIn;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The objects of the fleet, as their owners would write them. */
final class Manifests {
    private static final String SCHEDULER = "autoscale-scheduler";
    private static final String FILE_CACHE_COUNTS =
            new JsonObject().put("enableLFCMetrics", true).encode();

    /** Little, as owners of NeonVM's VMs write it: runner pods keep it whatever their VMs use. */
    private static final Resources POD_REQUESTS = new Resources(100, 100 << 20);

    private Manifests() {}

    static JsonObject node(LabNode node) {
        var allocatable = RunnerPod.quantities(node.allocatable()).put("pods", "110");
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", node.name()))
                .put(
                        "status",
                        new JsonObject().put("capacity", allocatable.copy()).put("allocatable", allocatable));
    }

    /** A node whose kubelet listens at that port. */
    static JsonObject node(LabNode node, int kubeletPort) {
        var made = node(node);
        made.getJsonObject("status")
                .put(
                        "addresses",
                        new JsonArray()
                                .add(new JsonObject().put("type", "InternalIP").put("address", KubeletStandIn.ADDRESS)))
                .put(
                        "daemonEndpoints",
                        new JsonObject().put("kubeletEndpoint", new JsonObject().put("Port", kubeletPort)));
        return made;
    }

    /** An ordinary pod, as its owner labels it to be scaled in place. */
    static JsonObject pod(LabPod pod) {
        var initial = RunnerPod.quantities(pod.sizes().initial());
        var container = new JsonObject()
                .put("name", KubeletStandIn.CONTAINER)
                .put("image", "example/" + pod.name() + ":1")
                .put("resources", new JsonObject().put("requests", initial).put("limits", initial.copy()));
        var made = pod(pod.name(), pod.node(), container);
        made.getJsonObject("metadata")
                .put("labels", new JsonObject().put(ScaledPodKeys.ENABLED, "true"))
                .put(
                        "annotations",
                        new JsonObject()
                                .put(ScaledPodKeys.BOUNDS, bounds(pod.sizes()))
                                .put(ScaledPodKeys.BILLED_TO, "ep-" + pod.name()));
        return made;
    }

    static JsonObject otherPod(LabNode node) {
        var container = new JsonObject()
                .put("name", "main")
                .put("image", "example/agent:1")
                .put("resources", new JsonObject().put("requests", RunnerPod.quantities(node.others())));
        return pod("log-shipper-" + node.name(), node.name(), container);
    }

    static JsonObject vm(LabVm vm, Guest guest) {
        var annotations = new JsonObject()
                .put("autoscaling.neon.tech/bounds", bounds(vm.sizes()))
                .put("autoscaling.neon.tech/billing-endpoint-id", "ep-" + vm.name())
                .put("autoscaling.sluice.io/metrics", endpoint(guest.metrics()))
                .put("autoscaling.sluice.io/monitor", endpoint(guest.monitor()));
        guest.fileCache()
                .ifPresent(at -> annotations
                        .put("autoscaling.sluice.io/file-cache", endpoint(at))
                        .put("autoscaling.neon.tech/config", FILE_CACHE_COUNTS));
        var metadata = new JsonObject()
                .put("name", vm.name())
                .put("labels", labels(vm))
                .put("annotations", annotations);
        var spec = new JsonObject()
                .put("schedulerName", SCHEDULER)
                .put("guest", guestSpec(vm.sizes()))
                .put("podResources", new JsonObject().put("requests", RunnerPod.quantities(POD_REQUESTS)));
        return new JsonObject()
                .put("apiVersion", "vm.neon.tech/v1")
                .put("kind", "VirtualMachine")
                .put("metadata", metadata)
                .put("spec", spec);
    }

    /** Without a node. */
    static JsonObject runnerPod(LabVm vm, JsonObject vmObject) {
        return RunnerPod.of(vmObject, podName(vm), new JsonArray().add(RunnerPod.owner(vmObject, true)));
    }

    static JsonObject runnerPod(LabVm vm, LabNode node, JsonObject vmObject) {
        var pod = runnerPod(vm, vmObject);
        pod.getJsonObject("spec").put("nodeName", node.name());
        return pod;
    }

    static JsonObject vmPending(LabVm vm) {
        var status = new JsonObject()
                .put("phase", "Pending")
                .put("podName", podName(vm))
                .put("restartCount", 0);
        return new JsonObject().put("status", status);
    }

    static JsonObject vmStatus(LabVm vm, String node, Guest guest) {
        var status = new JsonObject()
                .put("phase", "Running")
                .put("podName", podName(vm))
                .put("podIP", guest.metrics().host())
                .put("node", node)
                .put("restartCount", 0)
                .put("cpus", Quantities.cpuText(vm.sizes().initial().milliCpu()))
                .put("memorySize", Quantities.memoryText(vm.sizes().initial().memoryBytes()));
        return new JsonObject().put("status", status);
    }

    static JsonObject podRunning(String ip) {
        return new JsonObject()
                .put("status", new JsonObject().put("phase", "Running").put("podIP", ip));
    }

    static String podName(LabVm vm) {
        return vm.name() + "-0";
    }

    private static JsonObject labels(LabVm vm) {
        var labels = new JsonObject().put("autoscaling.neon.tech/enabled", "true");
        return vm.migratable() ? labels.put("autoscaling.neon.tech/auto-migration-enabled", "true") : labels;
    }

    private static JsonObject pod(String name, String node, JsonObject container) {
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", name))
                .put("spec", new JsonObject().put("nodeName", node).put("containers", new JsonArray().add(container)));
    }

    private static JsonObject guestSpec(LabVmSizes sizes) {
        var cpus = new JsonObject()
                .put("min", Quantities.cpuText(sizes.min().milliCpu()))
                .put("max", Quantities.cpuText(sizes.built().milliCpu()))
                .put("use", Quantities.cpuText(sizes.initial().milliCpu()));
        var slots = new JsonObject()
                .put("min", sizes.min().memoryBytes() / FleetPlan.SLOT_BYTES)
                .put("max", sizes.built().memoryBytes() / FleetPlan.SLOT_BYTES)
                .put("use", sizes.initial().memoryBytes() / FleetPlan.SLOT_BYTES);
        return new JsonObject()
                .put("cpus", cpus)
                .put("memorySlots", slots)
                .put("memorySlotSize", Quantities.memoryText(FleetPlan.SLOT_BYTES));
    }

    private static String bounds(LabVmSizes sizes) {
        return new JsonObject()
                .put("min", bound(sizes.min()))
                .put("max", bound(sizes.max()))
                .encode();
    }

    private static JsonObject bound(Resources amount) {
        return new JsonObject()
                .put("cpu", Quantities.cpuText(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    private static String endpoint(Endpoint endpoint) {
        return endpoint.port() + endpoint.path();
    }
}
