package io.sluice.lab.controller;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.faults.LabFaults;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates the NeonVM controller: some time after a VM's spec was patched, its guest has the new size and its status
 * reports it. It is level-triggered, as the real one: when the time is over, the object's present spec counts, so
 * several patches in a row may become one change. A VM that migrates is not scaled.
 */
public final class ControllerStandIn {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerStandIn.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(10);

    private final Vertx vertx;
    private final ApiClient api;
    private final InstantSource clock;
    private final Delay delay;
    private final Map<String, Consumer<Resources>> guests;
    private final LabFaults faults;
    private final Set<String> busy = new HashSet<>();
    private final Set<String> missed = new HashSet<>();

    /** @param guests the function that resizes each VM, by its name */
    public ControllerStandIn(
            Vertx vertx,
            ApiClient api,
            InstantSource clock,
            Delay delay,
            Map<String, Consumer<Resources>> guests,
            LabFaults faults) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.delay = delay;
        this.guests = Map.copyOf(guests);
        this.faults = faults;
    }

    /** Begins to watch; ends with the API client. */
    public void start() {
        api.follow(LabPaths.VMS, this::changed, gone -> {});
    }

    private void changed(JsonObject vm) {
        var name = vm.getJsonObject("metadata").getString("name");
        if (!guests.containsKey(name) || !LabVmObject.needsWork(vm)) {
            return;
        }
        if (busy.add(name)) {
            work(name, vm);
        } else {
            missed.add(name);
        }
    }

    /**
     * A change that arrived while the VM was busy may be older than the answer to the controller's own last write or
     * read.
     */
    private void done(String name) {
        if (missed.remove(name)) {
            again(name, SOON);
        } else {
            busy.remove(name);
        }
    }

    private void work(String name, JsonObject vm) {
        if (faults.isStuck(name)) {
            again(name, RETRY);
        } else if (LabVmObject.isScaling(vm)) {
            finish(name, vm);
        } else {
            begin(name, vm).onSuccess(begun -> again(name, delay.next())).onFailure(failure -> later(name, failure));
        }
    }

    /**
     * The runner pod gets the size of the VM's spec at once, as the scheduler of a Kubernetes cluster reads it there.
     * Fails if the VM was written in between, since it may just have been locked for a migration.
     */
    private Future<JsonObject> begin(String name, JsonObject vm) {
        var mirror = new JsonObject().put("metadata", new JsonObject().put("annotations", RunnerPod.annotations(vm)));
        var podName = vm.getJsonObject("status").getString("podName");
        return api.merge(LabPaths.pod(podName), mirror)
                .compose(pod -> status(name, vm, new JsonObject().put("phase", "Scaling")));
    }

    private void finish(String name, JsonObject vm) {
        var size = LabVmObject.specSize(vm);
        guests.get(name).accept(size);
        var reached = new JsonObject()
                .put("phase", "Running")
                .put("cpus", Quantities.cpuText(size.milliCpu()))
                .put("memorySize", Quantities.memoryText(size.memoryBytes()));
        LabVmObject.targetRevision(vm)
                .ifPresent(revision -> reached.put(
                        "currentRevision",
                        new JsonObject().put("revision", revision).put("updatedAt", now())));
        status(name, vm, reached).onSuccess(written -> done(name)).onFailure(failure -> later(name, failure));
    }

    private void later(String name, Throwable failure) {
        if (api.isClosed()) {
            return;
        }
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, LabPaths.NAMESPACE + "/" + name)
                .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                .log("A VM could not be changed; trying again.");
        again(name, ApiClient.isConflict(failure) ? SOON : RETRY);
    }

    private void again(String name, Duration pause) {
        vertx.setTimer(
                pause.toMillis(),
                timer -> api.find(LabPaths.vm(name))
                        .onSuccess(found -> {
                            if (found.filter(LabVmObject::needsWork).isPresent()) {
                                work(name, found.get());
                            } else {
                                done(name);
                            }
                        })
                        .onFailure(failure -> later(name, failure)));
    }

    private Future<JsonObject> status(String name, JsonObject vm, JsonObject changes) {
        var version = vm.getJsonObject("metadata").getString("resourceVersion");
        return api.merge(
                LabPaths.vm(name) + "/status",
                new JsonObject()
                        .put("metadata", new JsonObject().put("resourceVersion", version))
                        .put("status", changes));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
