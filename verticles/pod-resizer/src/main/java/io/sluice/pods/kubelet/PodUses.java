package io.sluice.pods.kubelet;

import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.pods.api.PodApi;
import io.sluice.pods.core.ContainerUse;
import io.sluice.pods.core.DownscaleRules;
import io.sluice.pods.core.KubeletText;
import io.sluice.pods.core.PodHistory;
import io.sluice.pods.core.PodKey;
import io.sluice.pods.core.PodsConfig;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What pods use. A kubelet is read while an agent waits for a sample of a pod on its node, once for all of them, and
 * each gets the next sample of its pod. For one context.
 */
public final class PodUses {
    /** Less than the timeout of the bus. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private static final int PODS_MAX = 20_000;
    private static final int NODES_MAX = 10_000;
    private static final int WAITING_MAX = 20_000;
    private static final String PRESSURE = "/metrics/cadvisor";

    private final Vertx vertx;
    private final PodsConfig config;
    private final KubeletConnection kubelets;
    private final Function<String, Future<NodePlaces.Place>> places;
    private final InstantSource clock;
    private final Map<String, Kept> histories = BoundedMap.ofLastUsed(PODS_MAX);
    private final Map<String, Node> nodes = BoundedMap.ofNewest(NODES_MAX);
    private int waiting;

    private record Kept(VmId vm, PodHistory history) {}

    private record Waiting(ReadPodUse request, Promise<PodUse> reply, Instant until) {}

    /** A node whose pods an agent waits for. */
    private static final class Node {
        final List<Waiting> waiting = new ArrayList<>();
        Instant pressureNext = Instant.MIN;
        String fault = "";
        boolean isRead;
    }

    /**
     * @param places finds the kubelet of a node
     * @param clock the time of day, which is compared with that of kubelets
     */
    public PodUses(
            Vertx vertx,
            PodsConfig config,
            KubeletConnection kubelets,
            Function<String, Future<NodePlaces.Place>> places,
            InstantSource clock) {
        this.vertx = vertx;
        this.config = config;
        this.kubelets = kubelets;
        this.places = places;
        this.clock = clock;
    }

    /** The last sample of what is scaled of a pod. */
    public Optional<ContainerUse> last(ScaledPod pod) {
        return Optional.ofNullable(histories.get(pod.id().uid()))
                .flatMap(kept -> kept.history().last(pod));
    }

    /** Replies with the next sample of a pod. */
    public Future<PodUse> read(ReadPodUse request) {
        var history = histories.computeIfAbsent(request.vm().uid(), uid -> new Kept(request.vm(), new PodHistory()));
        var known = history.history().since(request.after());
        if (known.isPresent()) {
            return Future.succeededFuture(known.get());
        }
        if (waiting >= WAITING_MAX) {
            return Future.succeededFuture(new PodUse.Unknown("too many requests wait for samples"));
        }
        waiting++;
        Promise<PodUse> reply = Promise.promise();
        var node = nodes.computeIfAbsent(request.node(), name -> new Node());
        node.waiting.add(new Waiting(request, reply, clock.instant().plus(WAIT_MAX)));
        if (!node.isRead) {
            node.isRead = true;
            scrape(request.node(), node);
        }
        return reply.future().onComplete(done -> waiting--);
    }

    /** Takes what a node agent read, and replies to the requests that wait for it. */
    public void took(PodSampled sampled) {
        var kept = histories.computeIfAbsent(sampled.vm().uid(), uid -> new Kept(sampled.vm(), new PodHistory()));
        kept.history().took(sampled.first());
        kept.history().took(sampled.last());
        var now = clock.instant();
        for (var node : nodes.values()) {
            node.waiting.removeIf(wait -> wait.request().vm().equals(sampled.vm()) && isReplied(node, wait, now));
        }
    }

    private void scrape(String name, Node node) {
        Future.succeededFuture(name)
                .compose(places)
                .compose(place -> kubelets.read(place, ScaledPodKeys.SAMPLES_PATH)
                        .compose(text -> samples(node, text) ? pressure(place, node) : Future.succeededFuture()))
                .onSuccess(read -> node.fault = "")
                .onFailure(failure -> node.fault = PodApi.words(failure))
                .onComplete(ended -> {
                    reply(node);
                    if (node.waiting.isEmpty()) {
                        node.isRead = false;
                    } else {
                        vertx.setTimer(config.scrapeEvery().toMillis(), timer -> scrape(name, node));
                    }
                });
    }

    private void reply(Node node) {
        var now = clock.instant();
        node.waiting.removeIf(wait -> isReplied(node, wait, now));
    }

    /** Replies if there is a newer sample, or no time left. */
    private boolean isReplied(Node node, Waiting wait, Instant now) {
        var kept = Optional.ofNullable(histories.get(wait.request().vm().uid())).map(Kept::history);
        var sampled = kept.flatMap(history -> history.since(wait.request().after()));
        if (sampled.isEmpty() && now.isBefore(wait.until())) {
            return false;
        }
        boolean isCurrent = node.fault.isEmpty()
                && kept.filter(history -> history.isCurrent(now)).isPresent();
        wait.reply()
                .complete(sampled.<PodUse>map(use -> use)
                        .orElseGet(() -> isCurrent ? new PodUse.Unchanged() : unsampled(node)));
        return true;
    }

    private static PodUse unsampled(Node node) {
        return new PodUse.Unknown(
                node.fault.isEmpty()
                        ? "its kubelet has had no new sample of it for " + DownscaleRules.SAMPLE_AGE_MAX.toSeconds()
                                + " s"
                        : "its kubelet cannot be read: " + node.fault);
    }

    private Map<PodKey, PodHistory> wanted(Node node) {
        var wanted = new HashMap<PodKey, PodHistory>();
        for (var wait : node.waiting) {
            var kept = histories.get(wait.request().vm().uid());
            if (kept != null) {
                wanted.put(PodKey.of(kept.vm()), kept.history());
            }
        }
        return wanted;
    }

    /** Returns whether a pod has a new sample. */
    private boolean samples(Node node, String text) {
        var wanted = wanted(node);
        var found = new HashMap<PodKey, Map<String, double[]>>();
        KubeletText.read(text, line -> {
            int at = switch (line.metric()) {
                case "container_cpu_usage_seconds_total" -> 0;
                case "container_memory_working_set_bytes" -> 1;
                default -> -1;
            };
            if (at >= 0 && wanted.containsKey(line.pod()) && line.atMs() > 0) {
                var values = found.computeIfAbsent(line.pod(), pod -> new HashMap<>())
                        .computeIfAbsent(line.container(), container -> new double[] {-1, -1, 0});
                values[at] = line.value();
                values[2] = at == 0 ? line.atMs() : values[2];
            }
        });
        boolean isNew = false;
        for (var pod : found.entrySet()) {
            var uses = new HashMap<String, ContainerUse>();
            pod.getValue().forEach((container, values) -> {
                if (values[0] >= 0 && values[1] >= 0) {
                    uses.put(container, new ContainerUse(Instant.ofEpochMilli((long) values[2]), values[0], (long)
                            values[1]));
                }
            });
            isNew |= wanted.get(pod.getKey()).took(new PodHistory.Sample(uses));
        }
        return isNew;
    }

    /**
     * What pods wait for is worth less than what they use: without it, that alone counts. It is read with new samples,
     * as it counts only for the time since the sample before: read at any other time, it could be late each time.
     */
    private Future<Void> pressure(NodePlaces.Place place, Node node) {
        var now = clock.instant();
        if (now.isBefore(node.pressureNext)) {
            return Future.succeededFuture();
        }
        node.pressureNext = now.plus(config.waitingEvery());
        return kubelets.read(place, PRESSURE)
                .onSuccess(text -> waits(node, text))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    /** Samples of containers alone: those of the pod as a whole are their sum. */
    private void waits(Node node, String text) {
        var wanted = wanted(node);
        var found = new HashMap<PodKey, double[]>();
        KubeletText.read(text, line -> {
            int at = switch (line.metric()) {
                case "container_pressure_cpu_waiting_seconds_total" -> 0;
                case "container_cpu_cfs_periods_total" -> 1;
                case "container_cpu_cfs_throttled_periods_total" -> 2;
                default -> -1;
            };
            if (at >= 0 && wanted.containsKey(line.pod()) && !line.container().isEmpty() && line.atMs() > 0) {
                var values = found.computeIfAbsent(line.pod(), pod -> new double[4]);
                values[at] += line.value();
                values[3] = Math.max(values[3], line.atMs());
            }
        });
        found.forEach((pod, values) -> wanted.get(pod)
                .took(new PodHistory.Waiting(Instant.ofEpochMilli((long) values[3]), values[0], values[1], values[2])));
    }
}
