package io.sluice.lab;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.LabVmObject;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.core.Audit;
import io.sluice.lab.core.AuditReport;
import io.sluice.lab.core.AuditedVm;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.shell.LogKeys;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares at intervals, from outside, each VM's size with its reservation in the ledger. One comparison at a time. */
final class FleetAuditor {
    private static final Logger LOG = LoggerFactory.getLogger(FleetAuditor.class);
    private static final SnapshotRequest ALL_NODES = new SnapshotRequest("");

    private final Vertx vertx;
    private final ApiClient api;
    private final Bus bus;
    private final Audit audit = new Audit();
    private volatile AuditReport report = AuditReport.EMPTY;
    private boolean stopped;

    FleetAuditor(Vertx vertx, ApiClient api, Bus bus) {
        this.vertx = vertx;
        this.api = api;
        this.bus = bus;
    }

    /** The findings so far; may be called from any thread. */
    AuditReport report() {
        return report;
    }

    /** Compares after that time, and again that long after each comparison has ended. */
    void start(Duration every) {
        if (!stopped) {
            vertx.setTimer(
                    every.toMillis(),
                    timer -> look().onFailure(failure -> LOG.atDebug()
                                    .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                                    .log("The ledger cannot be compared with the VMs now; trying again."))
                            .onComplete(looked -> start(every)));
        }
    }

    void stop() {
        stopped = true;
    }

    private Future<Void> look() {
        return read().compose(before -> bus.request(LedgerAddresses.SNAPSHOT, ALL_NODES)
                .compose(snapshot -> read().map(after -> {
                    audit.check(before, snapshot.nodes(), after)
                            .forEach(breach -> LOG.atError()
                                    .addKeyValue(LogKeys.REASON, breach)
                                    .log("The ledger reserves less than is in use, or more than a node's total."));
                    report = audit.report();
                    return null;
                })));
    }

    private Future<Map<String, AuditedVm>> read() {
        return api.get(LabPaths.VMS).compose(vms -> api.get(LabPaths.PODS).map(pods -> vms(vms, pods)));
    }

    /** The VMs of these lists, by name; a pod that is scaled in place is one too. */
    static Map<String, AuditedVm> vms(JsonObject vmList, JsonObject podList) {
        var nodes = nodesOf(podList);
        var vms = new HashMap<String, AuditedVm>();
        for (var item : vmList.getJsonArray("items")) {
            var vm = vm((JsonObject) item, nodes);
            vms.put(vm.name(), vm);
        }
        for (var item : podList.getJsonArray("items")) {
            scaledPod((JsonObject) item).ifPresent(pod -> vms.put(pod.name(), pod));
        }
        return vms;
    }

    /**
     * A pod that a runner has claimed is a VM that runs in itself, also after it has lost its label: the ledger counts
     * it. A runner pod may have the fence of its VM.
     */
    private static Optional<AuditedVm> scaledPod(JsonObject pod) {
        var metadata = pod.getJsonObject("metadata");
        if (metadata.getJsonObject("labels", new JsonObject()).containsKey(RunnerPod.VM_LABEL)
                || !metadata.getJsonObject("annotations", new JsonObject()).containsKey(ScaledPodKeys.FENCE)) {
            return Optional.empty();
        }
        var using = RunnerPod.use(pod);
        for (var item : pod.getJsonObject("status").getJsonArray("containerStatuses", new JsonArray())) {
            var container = (JsonObject) item;
            using = using.max(RunnerPod.amounts(container.getJsonObject("allocatedResources")))
                    .max(RunnerPod.amounts(container.getJsonObject("resources").getJsonObject("requests")));
        }
        return Optional.of(new AuditedVm(
                metadata.getString("name"),
                Long.parseLong(metadata.getString("resourceVersion")),
                metadata.getString("name"),
                pod.getJsonObject("spec").getString("nodeName", ""),
                using));
    }

    private static Map<String, String> nodesOf(JsonObject pods) {
        var nodes = new HashMap<String, String>();
        for (var item : pods.getJsonArray("items")) {
            var pod = (JsonObject) item;
            nodes.put(
                    pod.getJsonObject("metadata").getString("name"),
                    pod.getJsonObject("spec").getString("nodeName", ""));
        }
        return nodes;
    }

    /**
     * A VM runs on its pod's node: its status may name the other node for a while. A VM without its pod runs nowhere,
     * whatever its status is before its restart.
     */
    private static AuditedVm vm(JsonObject object, Map<String, String> nodes) {
        var metadata = object.getJsonObject("metadata");
        var status = object.getJsonObject("status", new JsonObject());
        var spec = LabVmObject.specSize(object);
        var podName = status.getString("podName", "");
        return new AuditedVm(
                metadata.getString("name"),
                Long.parseLong(metadata.getString("resourceVersion")),
                podName,
                nodes.getOrDefault(podName, ""),
                LabVmObject.statusSize(object).map(spec::max).orElse(spec));
    }
}
