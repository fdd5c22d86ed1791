package io.sluice.lab.controller;

import io.sluice.lab.LabPaths;
import io.sluice.lab.api.ApiClient;
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
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the NeonVM controller: some time after a VM's spec was patched, its guest has the new size and its status says
 * so. Level-triggered, as the real one: what counts is what the object says when the time is over, so several patches
 * in a row may become one change.
 */
public final class ControllerStandIn {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerStandIn.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final ApiClient api;
    private final InstantSource clock;
    private final Delay delay;
    private final Map<String, Consumer<Resources>> guests;
    private final Set<String> busy = new HashSet<>();

    /**
     * How long a change takes.
     *
     * @param min at least this
     * @param max at most this
     * @param random what lies between
     */
    public record Delay(Duration min, Duration max, RandomGenerator random) {
        long nextMs() {
            return random.nextLong(min.toMillis(), max.toMillis() + 1);
        }
    }

    /** @param guests how to give each VM, by name, a size */
    public ControllerStandIn(
            Vertx vertx, ApiClient api, InstantSource clock, Delay delay, Map<String, Consumer<Resources>> guests) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.delay = delay;
        this.guests = Map.copyOf(guests);
    }

    /** Begins to watch; ends with the API client. */
    public void start() {
        api.follow(LabPaths.VMS, this::changed);
    }

    private void changed(JsonObject vm) {
        var name = vm.getJsonObject("metadata").getString("name");
        if (guests.containsKey(name) && VmObject.needsWork(vm) && busy.add(name)) {
            begin(vm)
                    .onSuccess(begun -> vertx.setTimer(delay.nextMs(), timer -> finish(name)))
                    .onFailure(failure -> later(name, failure));
        }
    }

    /** The pod says at once what the VM was told to be: the scheduler of a cluster reads it there. */
    private Future<JsonObject> begin(JsonObject vm) {
        var metadata = vm.getJsonObject("metadata");
        var annotations =
                metadata.getJsonObject("annotations", new JsonObject()).copy();
        annotations.put("vm.neon.tech/usage", VmObject.usage(vm));
        var mirror = new JsonObject().put("metadata", new JsonObject().put("annotations", annotations));
        var podName = vm.getJsonObject("status").getString("podName");
        return api.merge(LabPaths.pod(podName), mirror)
                .compose(pod -> status(metadata.getString("name"), new JsonObject().put("phase", "Scaling")));
    }

    private void finish(String name) {
        api.get(LabPaths.vm(name))
                .compose(vm -> {
                    var size = VmObject.specSize(vm);
                    guests.get(name).accept(size);
                    var reached = new JsonObject()
                            .put("phase", "Running")
                            .put("cpus", Quantities.cpuText(size.milliCpu()))
                            .put("memorySize", Quantities.memoryText(size.memoryBytes()));
                    VmObject.targetRevision(vm)
                            .ifPresent(revision -> reached.put(
                                    "currentRevision",
                                    new JsonObject().put("revision", revision).put("updatedAt", now())));
                    return status(name, reached);
                })
                .onSuccess(vm -> {
                    busy.remove(name);
                    // It may have been patched again since it was read.
                    changed(vm);
                })
                .onFailure(failure -> later(name, failure));
    }

    private void later(String name, Throwable failure) {
        if (api.isClosed()) {
            return;
        }
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, LabPaths.NAMESPACE + "/" + name)
                .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                .log("A VM could not be changed; trying again.");
        vertx.setTimer(RETRY.toMillis(), timer -> finish(name));
    }

    private Future<JsonObject> status(String name, JsonObject changes) {
        return api.merge(LabPaths.vm(name) + "/status", new JsonObject().put("status", changes));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
