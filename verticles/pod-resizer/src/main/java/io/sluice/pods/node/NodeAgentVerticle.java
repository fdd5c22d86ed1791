package io.sluice.pods.node;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pod.PodSampled;
import io.sluice.pods.api.PodWatch;
import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.shell.config.Durations;
import io.sluice.shell.pods.ScaledPod;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the control groups of the labelled pods on its own node. It writes nothing there but triggers. Its state is
 * changed on its one context alone, and can be lost.
 */
public final class NodeAgentVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAgentVerticle.class);
    private static final String PART = "node-agent";

    private final NodeAgentConfig config;
    private final Shell shell;
    private final KubernetesClient client;
    private final Map<String, NodePod> pods = new ConcurrentHashMap<>();
    private Bus bus;
    private KernelEvents kernel;
    private PodWatch watch;

    /** @param client shared by the whole process and closed by its owner */
    public NodeAgentVerticle(NodeAgentConfig config, Shell shell, KubernetesClient client) {
        this.config = config;
        this.shell = shell;
        this.client = client;
    }

    @Override
    public Future<?> start() throws Exception {
        bus = new Bus(vertx);
        kernel = new KernelEvents();
        Arrays.stream(PodSampled.Cause.values()).forEach(this::reports);
        Gauge.builder("sluice.pods.limits.differing", this::differing)
                .description("Pods of the node whose control groups have other limits than their status")
                .register(shell.meters());
        shell.readiness().reports(PART, "kernel", kernel::fault);
        shell.readiness().reports(PART, "control groups", () -> one(NodePod::trouble));
        shell.readiness().reports(PART, "limits", () -> one(NodePod::limitsDifference));
        watch = new PodWatch(vertx, client, Optional.of(config.node()), this::observed, this::ended);
        return watch.start();
    }

    private long differing() {
        return pods.values().stream()
                .filter(pod -> pod.limitsDifference().isPresent())
                .count();
    }

    /** What is wrong with one pod, and with how many. */
    private Optional<String> one(Function<NodePod, Optional<String>> words) {
        var found = pods.values().stream()
                .flatMap(pod -> words.apply(pod).map(each -> pod.label() + ": " + each).stream())
                .toList();
        return found.stream()
                .findFirst()
                .map(first -> found.size() == 1 ? first : first + "; of " + found.size() + " pods");
    }

    private void observed(ScaledPod pod) {
        if (pod.runs()) {
            pods.computeIfAbsent(pod.id().uid(), uid -> pod(pod)).observed(pod);
        }
    }

    private NodePod pod(ScaledPod pod) {
        var limits = new LimitsWatch(vertx, config.limitsDifferAfter(), words -> differ(pod, words));
        return new NodePod(vertx, config, kernel, this::sampled, limits);
    }

    private void sampled(PodSampled sample) {
        reports(sample.cause()).increment();
        bus.publish(PodAddresses.SAMPLED, sample);
    }

    private void differ(ScaledPod pod, String words) {
        var id = pod.id();
        var reason = words + ", for " + Durations.text(config.limitsDifferAfter());
        LOG.atWarn()
                .addKeyValue(LogKeys.POD, id.label())
                .addKeyValue(LogKeys.REASON, reason)
                .log("A pod's limits are not what its status says.");
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(
                        PlacementDecision.Kind.LIMITS_DIFFER,
                        id.uid(),
                        id.namespace(),
                        id.name(),
                        config.node(),
                        reason));
    }

    private void ended(ScaledPod pod) {
        Optional.ofNullable(pods.remove(pod.id().uid())).ifPresent(NodePod::close);
    }

    private Counter reports(PodSampled.Cause cause) {
        return Counter.builder("sluice.pods.sampled")
                .description("Samples of pods that the kernel's reports caused, by cause")
                .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                .register(shell.meters());
    }

    @Override
    public Future<?> stop() {
        return (watch == null ? Future.succeededFuture() : watch.stop())
                .compose(stopped ->
                        Future.join(pods.values().stream().map(NodePod::close).toList()))
                .compose(closed -> kernel == null
                        ? Future.succeededFuture()
                        : vertx.executeBlocking(() -> {
                            kernel.close();
                            return null;
                        }));
    }
}
