package io.sluice.bench;

import io.sluice.bench.measurement.Config;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.api.LabApi;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.ControllerStandIn;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * What is outside of Sluice: the lab's API server and controller, and the guests of this module. All VMs have 1 unit,
 * are idle, and may have 16.
 */
final class World implements AutoCloseable {
    private static final long SLOT_BYTES = 1L << 30;
    private static final Resources UNIT = new Resources(250, SLOT_BYTES);
    private static final int MOST_UNITS = 16;
    private static final int VMS_PER_NODE = 40;
    private static final int HISTORY_MAX = 100_000;
    private static final int MAKERS = 16;
    static final long LOOK_MS = 20;
    private static final Delay AT_ONCE = new Delay(Duration.ofMillis(5), Duration.ofMillis(10), new Random(1));

    private final Vertx outside = Vertx.vertx();
    private final Shell shell = Config.shell();
    private final Guests guests = new Guests(outside);
    private final LabApi api = new LabApi(outside, shell.clock(), HISTORY_MAX);
    private final ApiClient client;
    private final String url;

    /**
     * Starts it.
     *
     * @param vms number of VMs
     * @param arrivals receives the path of each write to the API server
     */
    World(int vms, Consumer<String> arrivals) {
        api.failWrites(received(arrivals));
        url = Config.done(api.start("127.0.0.1", 0));
        client = new ApiClient(outside, ApiEndpoint.open(url));
        Config.done(guests.start());
        Config.done(outside(() -> populate(vms)));
        Config.done(outside(() -> control(vms)));
    }

    private static ToIntFunction<String> received(Consumer<String> arrivals) {
        return path -> {
            arrivals.accept(path);
            return 0;
        };
    }

    static String name(int index) {
        return "vm-" + index;
    }

    Guests guests() {
        return guests;
    }

    Vertx outside() {
        return outside;
    }

    /** Passes each later change of a VM to the consumer. */
    void watch(Consumer<JsonObject> changed) {
        outside.runOnContext(turn -> client.follow(LabPaths.VMS, changed, gone -> {}));
    }

    /** The URL of its API server. */
    String url() {
        return url;
    }

    /**
     * Waits until each VM has needed no change and then had a monitor session. On a busy machine there is always one
     * that waits, or whose session is lost, so each counts by itself.
     *
     * @param content the names of the VMs that have needed no change so far
     */
    void awaitContent(int vms, Supplier<Set<String>> content) throws InterruptedException {
        var ready = new HashSet<String>();
        while (ready.size() < vms) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            content.get().stream().filter(guests::isInSession).forEach(ready::add);
        }
    }

    /** The units in a VM's spec. */
    static int units(JsonObject vm) {
        var use = vm.getJsonObject("spec").getJsonObject("guest").getJsonObject("memorySlots");
        return use.getInteger("use");
    }

    private Future<Void> control(int vms) {
        var resizes = new HashMap<String, Consumer<Resources>>();
        for (int i = 0; i < vms; i++) {
            resizes.put(name(i), size -> {});
        }
        // Only a lab has the faults that the API server needs; this one is never started.
        var faults = new LabVerticle(LabConfig.DEFAULTS, shell).faults();
        new ControllerStandIn(outside, client, shell.clock(), AT_ONCE, resizes, faults).start();
        return Future.succeededFuture();
    }

    private Future<Void> populate(int vms) {
        Future<Void> made = Future.succeededFuture();
        for (int node = 0; node * VMS_PER_NODE < vms; node++) {
            var manifest = node(node);
            made = made.compose(
                    before -> client.create(LabPaths.NODES, manifest).mapEmpty());
        }
        for (int first = 0; first < vms; first += MAKERS) {
            var batch = IntStream.range(first, Math.min(vms, first + MAKERS));
            made = made.compose(
                    before -> Future.all(batch.mapToObj(this::make).toList()).mapEmpty());
        }
        return made;
    }

    private static JsonObject node(int index) {
        var allocatable =
                RunnerPod.quantities(UNIT.times(MOST_UNITS * VMS_PER_NODE * 2)).put("pods", "110");
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", "node-" + index))
                .put("status", new JsonObject().put("allocatable", allocatable));
    }

    /** Runs work on an event loop, as all uses of the lab's client. */
    private <T> Future<T> outside(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        outside.runOnContext(turn -> work.get().onComplete(done));
        return done.future();
    }

    private Future<?> make(int index) {
        var pod = name(index) + "-0";
        var running = new JsonObject().put("phase", "Running").put("podIP", Guests.host(index));
        return client.create(LabPaths.VMS, vm(index))
                .compose(vm -> client.create(LabPaths.PODS, pod(index, vm)))
                .compose(made -> client.merge(LabPaths.pod(pod) + "/status", new JsonObject().put("status", running)))
                .compose(made -> client.merge(LabPaths.vm(name(index)) + "/status", status(index, pod)));
    }

    private static JsonObject pod(int index, JsonObject vm) {
        var pod = RunnerPod.of(vm, name(index) + "-0", new JsonArray().add(RunnerPod.owner(vm, true)));
        pod.getJsonObject("spec").put("nodeName", "node-" + index / VMS_PER_NODE);
        return pod;
    }

    private JsonObject vm(int index) {
        var bounds = new JsonObject().put("min", bound(1)).put("max", bound(MOST_UNITS));
        var annotations = new JsonObject()
                .put("autoscaling.neon.tech/bounds", bounds.encode())
                .put("autoscaling.sluice.io/metrics", guests.port() + "/metrics")
                .put("autoscaling.sluice.io/monitor", guests.port() + "/monitor/" + name(index));
        var cpus = new JsonObject().put("min", "250m").put("max", "4").put("use", "250m");
        var slots = new JsonObject().put("min", 1).put("max", MOST_UNITS).put("use", 1);
        var guest = new JsonObject().put("cpus", cpus).put("memorySlots", slots).put("memorySlotSize", "1Gi");
        return new JsonObject()
                .put(
                        "metadata",
                        new JsonObject()
                                .put("name", name(index))
                                .put("labels", new JsonObject().put("autoscaling.neon.tech/enabled", "true"))
                                .put("annotations", annotations))
                .put(
                        "spec",
                        new JsonObject()
                                .put("schedulerName", "autoscale-scheduler")
                                .put("guest", guest));
    }

    private static JsonObject bound(int units) {
        return new JsonObject().put("cpu", 250 * units + "m").put("mem", units + "Gi");
    }

    private static JsonObject status(int index, String pod) {
        return new JsonObject()
                .put(
                        "status",
                        new JsonObject()
                                .put("phase", "Running")
                                .put("podName", pod)
                                .put("podIP", Guests.host(index))
                                .put("node", "node-" + index / VMS_PER_NODE)
                                .put("restartCount", 0)
                                .put("cpus", "250m")
                                .put("memorySize", "1Gi"));
    }

    @Override
    public void close() {
        Config.done(outside.close());
    }
}
