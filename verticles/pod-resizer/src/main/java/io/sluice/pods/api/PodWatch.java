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
    private final Consumer<ScaledPod> changed;
    private final Consumer<ScaledPod> ended;
    private SharedIndexInformer<Pod> informer;

    /**
     * @param changed receives pods that are new or have changed
     * @param ended receives pods that are gone
     */
    public PodWatch(Vertx vertx, KubernetesClient client, Consumer<ScaledPod> changed, Consumer<ScaledPod> ended) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.client = client;
        this.changed = changed;
        this.ended = ended;
    }

    /** Begins; completes at once, as the pods may be listed later. */
    public Future<Void> start() {
        informer = client.pods()
                .inAnyNamespace()
                .withLabels(Map.of(ScaledPodKeys.ENABLED, "true"))
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
                report(pod, changed);
            }

            @Override
            public void onUpdate(Pod before, Pod pod) {
                report(pod, changed);
            }

            @Override
            public void onDelete(Pod pod, boolean finalStateUnknown) {
                // Whoever waits for it reads it again.
                report(pod, ended);
            }
        });
        informer.start();
        return Future.succeededFuture();
    }

    private void report(Pod pod, Consumer<ScaledPod> to) {
        context.runOnContext(turn -> to.accept(scaled(pod)));
    }

    /** All pods, as last observed. */
    public List<ScaledPod> all() {
        return informer.getStore().list().stream().map(PodWatch::scaled).toList();
    }

    /** The pod of that name, as last observed. */
    public Optional<ScaledPod> find(String namespace, String name) {
        return Optional.ofNullable(informer.getIndexer().getByKey(namespace + "/" + name))
                .map(PodWatch::scaled);
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
