package io.sluice.lab.kubelet;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabPod;
import io.sluice.lab.kubelet.core.ContainerLoad;
import io.sluice.lab.kubelet.core.ResizeAdmission;
import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.LoadPlan;
import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for the kubelet of a node with ordinary pods: it decides about their resizes, some time after each, and serves
 * samples of the load that they replay.
 */
public final class KubeletStandIn {
    /** The address of every kubelet. */
    public static final String ADDRESS = "127.0.0.1";

    /** The container of each pod. */
    public static final String CONTAINER = "main";

    private static final Logger LOG = LoggerFactory.getLogger(KubeletStandIn.class);

    /** Real ones take a sample each 10 to 15 s; a day of the load is shorter here. */
    private static final long SAMPLE_EVERY_MS = 500;

    private final Vertx vertx;
    private final ApiClient api;
    private final Delay delay;
    private final LabNode node;
    private final KubeletServer server;
    private final Map<String, ContainerLoad> containers = new HashMap<>();
    private final Map<String, Double> used = new ConcurrentHashMap<>();
    private long sampling = -1;

    /** @param delay between two looks at the pods of the node */
    public KubeletStandIn(Vertx vertx, ApiClient api, Delay delay, LabNode node) {
        this.vertx = vertx;
        this.api = api;
        this.delay = delay;
        this.node = node;
        this.server = new KubeletServer(vertx, node.name());
    }

    /** Begins to listen, and returns its port. */
    public Future<Integer> start() {
        return server.listen(ADDRESS);
    }

    /** Begins the load of a pod. A day of it takes that long. */
    public Future<Void> load(LabPod pod, Duration day) {
        return vertx.executeBlocking(() -> SeriesLibrary.read(pod.series()))
                .map(series -> new LoadPlan(series, pod.offset(), day, pod.vCpus(), FleetPlan.MEMORY, List.of()))
                .map(plan -> {
                    containers.put(
                            pod.name(),
                            new ContainerLoad(
                                    plan,
                                    pod.sizes().initial(),
                                    InstantSource.system().instant()));
                    return null;
                });
    }

    /** Has the pods of its node run, and then attends to them until the client is closed. */
    public Future<Void> run() {
        sampling = vertx.setPeriodic(0, SAMPLE_EVERY_MS, tick -> sample());
        return sync().onComplete(first -> later());
    }

    public Future<Void> close() {
        vertx.cancelTimer(sampling);
        return server.close();
    }

    /** The CPU that each of its pods uses now; may be called from any thread. */
    public Map<String, Double> cpus() {
        return Map.copyOf(used);
    }

    private void sample() {
        var now = InstantSource.system().instant();
        containers.forEach((pod, container) -> {
            server.took(pod, container.advance(now));
            used.put(pod, container.cpus());
        });
    }

    private void later() {
        if (!api.isClosed()) {
            vertx.setTimer(
                    delay.next().toMillis(),
                    timer -> sync().onFailure(failure -> LOG.atDebug()
                                    .addKeyValue(LogKeys.NODE, node.name())
                                    .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                                    .log("The pods of a node could not be looked at; trying again."))
                            .onComplete(looked -> later()));
        }
    }

    /** One step of each of its pods. */
    private Future<Void> sync() {
        return api.get(LabPaths.PODS).compose(list -> {
            var pods = list.getJsonArray("items").stream()
                    .map(item -> new KubeletPod((JsonObject) item))
                    .filter(pod -> pod.runsOn(node.name()))
                    .toList();
            return Future.join(pods.stream()
                            .filter(pod -> containers.containsKey(pod.name()))
                            .map(pod -> step(pod, pods))
                            .toList())
                    .mapEmpty();
        });
    }

    private Future<Void> step(KubeletPod pod, List<KubeletPod> pods) {
        var others = pods.stream()
                .filter(other -> other != pod)
                .map(KubeletPod::requests)
                .reduce(Resources.NONE, Resources::plus);
        return pod.next(ResizeAdmission.of(pod.requests(), others, node.allocatable()))
                .map(status -> api.merge(LabPaths.pod(pod.name()) + "/status", pod.with(status)))
                .orElseGet(() -> Future.succeededFuture(pod.json()))
                .map(written -> {
                    new KubeletPod(written)
                            .limits()
                            .ifPresent(limits -> containers.get(pod.name()).limit(limits));
                    return null;
                });
    }
}
