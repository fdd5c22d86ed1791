package io.sluice.pods.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.shell.LogKeys;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches the pods that are labelled for scaling, and reports each change on the context of its maker. A
 * connection that carries nothing any more looks like one on which nothing happens, so a watch that was quiet for long
 * is replaced by another one, which lists the pods anew.
 */
public final class PodWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long NO_REPEATS = 0;

    private static final Duration QUIET_MAX = Duration.ofMinutes(5);
    private static final long LISTED_WITHIN_MS = 30_000;

    private final Vertx vertx;
    private final Context context;
    private final Supplier<SharedIndexInformer<GenericKubernetesResource>> informers;
    private final Consumer<ScaledPod> changed;
    private final Consumer<ScaledPod> ended;
    private final Map<String, ScaledPod> pods = new HashMap<>();
    private SharedIndexInformer<GenericKubernetesResource> informer;
    private Optional<SharedIndexInformer<GenericKubernetesResource>> successor = Optional.empty();
    private boolean quiet;
    private boolean stopped;

    /**
     * @param node whose pods alone are watched; empty for those of all nodes
     * @param changed receives pods that are new or have changed
     * @param ended receives pods that are gone
     */
    public PodWatch(
            Vertx vertx,
            KubernetesClient client,
            Optional<String> node,
            Consumer<ScaledPod> changed,
            Consumer<ScaledPod> ended) {
        this(vertx, () -> informer(client, node), changed, ended);
    }

    /** @param informers creates informers that are not started */
    PodWatch(
            Vertx vertx,
            Supplier<SharedIndexInformer<GenericKubernetesResource>> informers,
            Consumer<ScaledPod> changed,
            Consumer<ScaledPod> ended) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.informers = informers;
        this.changed = changed;
        this.ended = ended;
    }

    private static SharedIndexInformer<GenericKubernetesResource> informer(
            KubernetesClient client, Optional<String> node) {
        // client.pods() would read them into types, which are hundreds of classes.
        var labelled = client.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(Pod.class))
                .inAnyNamespace()
                .withLabels(Map.of(ScaledPodKeys.ENABLED, "true"));
        return node.map(name -> labelled.withField("spec.nodeName", name))
                .orElse(labelled)
                .runnableInformer(NO_REPEATS);
    }

    /** Begins; completes at once, as the pods may be listed later. */
    public Future<Void> start() {
        informer = informers.get();
        begin(informer);
        vertx.setPeriodic(QUIET_MAX.toMillis(), timer -> look());
        return Future.succeededFuture();
    }

    /** Runs at intervals: what was quiet for all of one is replaced. */
    void look() {
        boolean renew = quiet && !stopped && successor.isEmpty();
        quiet = true;
        if (renew) {
            renew();
        }
    }

    private void renew() {
        var known = Set.copyOf(pods.keySet());
        var next = informers.get();
        successor = Optional.of(next);
        begin(next).timeout(LISTED_WITHIN_MS, TimeUnit.MILLISECONDS).onComplete(listed -> {
            successor = Optional.empty();
            if (listed.failed() || stopped) {
                stop(next);
                return;
            }
            stop(informer);
            informer = next;
            var list = next.getStore().list();
            list.forEach(pod -> take(scaled(pod)));
            endAllBut(list, known);
        });
    }

    /** Those that began meanwhile may be newer than the list. */
    private void endAllBut(List<GenericKubernetesResource> listed, Set<String> known) {
        var left = listed.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        known.stream()
                .filter(uid -> !left.contains(uid))
                .flatMap(uid -> Optional.ofNullable(pods.get(uid)).stream())
                .forEach(this::end);
    }

    private Future<Void> begin(SharedIndexInformer<GenericKubernetesResource> begun) {
        begun.exceptionHandler((started, failure) -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                    .log("The watch of pods that are scaled failed; it is started again.");
            return true;
        });
        begun.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericKubernetesResource pod) {
                observed(begun, pod);
            }

            @Override
            public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource pod) {
                observed(begun, pod);
            }

            @Override
            public void onDelete(GenericKubernetesResource pod, boolean finalStateUnknown) {
                // Whoever waits for it reads it again.
                var gone = scaled(pod);
                context.runOnContext(turn -> {
                    if (counts(begun)) {
                        end(gone);
                    }
                });
            }
        });
        return Future.fromCompletionStage(begun.start(), context);
    }

    /** Converted once for each change, on the thread of the watch. */
    private void observed(SharedIndexInformer<GenericKubernetesResource> by, GenericKubernetesResource pod) {
        var now = scaled(pod);
        context.runOnContext(turn -> {
            if (counts(by)) {
                take(now);
            }
        });
    }

    /** What was replaced may still deliver what is older. */
    private boolean counts(SharedIndexInformer<GenericKubernetesResource> by) {
        return by == informer || successor.filter(next -> next == by).isPresent();
    }

    private void take(ScaledPod now) {
        var before = pods.put(now.id().uid(), now);
        if (before == null || !before.version().equals(now.version())) {
            quiet = false;
            changed.accept(now);
        }
    }

    private void end(ScaledPod gone) {
        quiet = false;
        if (pods.remove(gone.id().uid()) != null) {
            ended.accept(gone);
        }
    }

    /** All pods, as last observed; for the context of its maker. */
    public List<ScaledPod> all() {
        return List.copyOf(pods.values());
    }

    /** One of them. */
    public Optional<ScaledPod> find(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    private static ScaledPod scaled(GenericKubernetesResource pod) {
        return ScaledPod.of(MAPPER.<JsonNode>valueToTree(pod));
    }

    /** Ends the watch. */
    public Future<Void> stop() {
        stopped = true;
        return informer == null ? Future.succeededFuture() : stop(informer);
    }

    private Future<Void> stop(SharedIndexInformer<GenericKubernetesResource> over) {
        return vertx.executeBlocking(() -> {
            over.stop();
            return null;
        });
    }
}
