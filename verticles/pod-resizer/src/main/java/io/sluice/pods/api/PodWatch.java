package io.sluice.pods.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.shell.LogKeys;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists and watches the pods that are labelled for scaling, and reports each change on the context of its maker. */
public final class PodWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long NO_REPEATS = 0;

    private final Vertx vertx;
    private final Context context;
    private final KubernetesClient client;
    private final Optional<String> node;
    private final Consumer<ScaledPod> changed;
    private final Consumer<ScaledPod> ended;
    private final Map<String, ScaledPod> pods = new HashMap<>();
    private SharedIndexInformer<Pod> informer;

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
        this.node = node;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.client = client;
        this.changed = changed;
        this.ended = ended;
    }

    /** Begins; completes at once, as the pods may be listed later. */
    public Future<Void> start() {
        var labelled = client.pods().inAnyNamespace().withLabels(Map.of(ScaledPodKeys.ENABLED, "true"));
        informer = node.map(name -> labelled.withField("spec.nodeName", name))
                .orElse(labelled)
                .runnableInformer(NO_REPEATS);
        informer.exceptionHandler((started, failure) -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                    .log("The watch of pods that are scaled failed; it is started again.");
            return true;
        });
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                observed(pod);
            }

            @Override
            public void onUpdate(Pod before, Pod pod) {
                observed(pod);
            }

            @Override
            public void onDelete(Pod pod, boolean finalStateUnknown) {
                // Whoever waits for it reads it again.
                var gone = scaled(pod);
                context.runOnContext(turn -> {
                    pods.remove(gone.id().uid());
                    ended.accept(gone);
                });
            }
        });
        informer.start();
        return Future.succeededFuture();
    }

    /** Converted once for each change, on the thread of the watch. */
    private void observed(Pod pod) {
        var now = scaled(pod);
        context.runOnContext(turn -> {
            pods.put(now.id().uid(), now);
            changed.accept(now);
        });
    }

    /** All pods, as last observed; for the context of its maker. */
    public List<ScaledPod> all() {
        return List.copyOf(pods.values());
    }

    /** One of them. */
    public Optional<ScaledPod> find(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    private static ScaledPod scaled(Pod pod) {
        return ScaledPod.of(MAPPER.<JsonNode>valueToTree(pod));
    }

    /** Ends the watch. */
    public Future<Void> stop() {
        return informer == null
                ? Future.succeededFuture()
                : vertx.executeBlocking(() -> {
                    informer.stop();
                    return null;
                });
    }
}
