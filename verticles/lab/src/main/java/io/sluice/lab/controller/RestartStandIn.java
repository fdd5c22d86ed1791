package io.sluice.lab.controller;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates what NeonVM's controller does when a runner pod is gone: the VM starts again in a new pod, at its least
 * size, in the lab on the same node. If the VM does not run in the ended pod any more, nothing happens.
 */
public final class RestartStandIn {
    private static final Logger LOG = LoggerFactory.getLogger(RestartStandIn.class);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final String STATUS = "status";
    private static final String METADATA = "metadata";
    private static final String POD_NAME = "podName";
    private static final String RESTARTS = "restartCount";
    private static final String PENDING = "Pending";

    private final Vertx vertx;
    private final ApiClient api;
    private final Delay boot;
    private final Map<String, Consumer<Resources>> guests;

    /**
     * It begins when it is started.
     *
     * @param boot how long a guest takes to start
     * @param guests the function that resizes each VM, by its name
     */
    public RestartStandIn(Vertx vertx, ApiClient api, Delay boot, Map<String, Consumer<Resources>> guests) {
        this.vertx = vertx;
        this.api = api;
        this.boot = boot;
        this.guests = Map.copyOf(guests);
    }

    /** Begins to watch; ends with the API client. */
    public void start() {
        api.follow(LabPaths.PODS, pod -> {}, this::gone);
    }

    private void gone(JsonObject pod) {
        var vm = pod.getJsonObject(METADATA)
                .getJsonObject("labels", new JsonObject())
                .getString(RunnerPod.VM_LABEL, "");
        if (guests.containsKey(vm)) {
            restart(vm, pod);
        }
    }

    /** It reads the progress from the objects, so it may be repeated. */
    private void restart(String name, JsonObject ended) {
        api.find(LabPaths.vm(name))
                .compose(found -> found.map(vm -> restart(vm, ended)).orElseGet(Future::succeededFuture))
                .onFailure(failure -> later(name, ended, failure));
    }

    private Future<Void> restart(JsonObject vm, JsonObject ended) {
        var status = vm.getJsonObject(STATUS, new JsonObject());
        var phase = status.getString("phase", "");
        boolean ranThere = ended.getJsonObject(METADATA).getString("name").equals(status.getString(POD_NAME));
        if (ranThere && ("Running".equals(phase) || "Scaling".equals(phase))) {
            return name(vm).compose(named -> boot(named, ended));
        }
        return PENDING.equals(phase) ? boot(vm, ended) : Future.succeededFuture();
    }

    /** Writes the pod's name to the status before the pod exists, so that there are never two pods. */
    private Future<JsonObject> name(JsonObject vm) {
        int restarts = vm.getJsonObject(STATUS).getInteger(RESTARTS, 0) + 1;
        var torn = new JsonObject()
                .put("phase", PENDING)
                .put(RESTARTS, restarts)
                .put(POD_NAME, vm.getJsonObject(METADATA).getString("name") + "-" + restarts);
        List.of("podIP", "node", "cpus", "memorySize").forEach(torn::putNull);
        return status(vm, torn);
    }

    private Future<Void> boot(JsonObject vm, JsonObject ended) {
        var pod = vm.getJsonObject(STATUS).getString(POD_NAME);
        var node = ended.getJsonObject("spec").getString("nodeName");
        var ip = ended.getJsonObject(STATUS).getString("podIP");
        var running = new JsonObject().put("phase", "Running").put("podIP", ip);
        return api.find(LabPaths.pod(pod))
                .compose(found -> found.map(Future::succeededFuture).orElseGet(() -> create(vm, pod, node)))
                .compose(there -> vertx.timer(boot.next().toMillis(), TimeUnit.MILLISECONDS))
                .compose(booted -> api.merge(LabPaths.pod(pod) + "/status", new JsonObject().put(STATUS, running)))
                .compose(runs -> api.get(LabPaths.vm(vm.getJsonObject(METADATA).getString("name"))))
                .compose(now -> runs(now, node, ip));
    }

    private Future<JsonObject> create(JsonObject vm, String name, String node) {
        var pod = RunnerPod.of(vm, name, new JsonArray().add(RunnerPod.owner(vm, true)));
        pod.getJsonObject("spec").put("nodeName", node);
        return api.create(LabPaths.PODS, pod);
    }

    private Future<Void> runs(JsonObject vm, String node, String ip) {
        var least = LabVmObject.leastSize(vm);
        guests.get(vm.getJsonObject(METADATA).getString("name")).accept(least);
        var running = new JsonObject()
                .put("phase", "Running")
                .put("node", node)
                .put("podIP", ip)
                .put("cpus", Quantities.cpuText(least.milliCpu()))
                .put("memorySize", Quantities.memoryText(least.memoryBytes()));
        return status(vm, running).mapEmpty();
    }

    private Future<JsonObject> status(JsonObject vm, JsonObject changes) {
        var metadata = vm.getJsonObject(METADATA);
        var fence = new JsonObject().put("resourceVersion", metadata.getString("resourceVersion"));
        return api.merge(
                LabPaths.vm(metadata.getString("name")) + "/status",
                new JsonObject().put(METADATA, fence).put(STATUS, changes));
    }

    private void later(String name, JsonObject ended, Throwable failure) {
        if (api.isClosed()) {
            return;
        }
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, LabPaths.NAMESPACE + "/" + name)
                .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                .log("A VM could not be started again; trying again.");
        vertx.setTimer(RETRY.toMillis(), timer -> restart(name, ended));
    }
}
