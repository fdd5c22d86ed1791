package io.sluice.agent.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.shell.LogKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of one kind, as a watch reports them, and without a type: the client's types are hundreds of classes. The
 * watch is started again without end when it breaks; the objects stay meanwhile.
 */
final class SchedulerPodWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerPodWatch.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long FIRST_WITHIN_MS = 2_000;
    private static final long ANEW_WITHIN_MS = 10_000;
    private static final long ANEW_EVERY_MS = 30_000;

    private final Vertx vertx;
    private final Context context;
    private final Supplier<SharedIndexInformer<GenericKubernetesResource>> informers;
    private final Consumer<List<JsonNode>> changed;
    /** None before the start. */
    private SharedIndexInformer<GenericKubernetesResource> informer;

    private boolean renewed;
    private boolean stopped;

    /** A watch that reports all objects on this context after each change. */
    SchedulerPodWatch(
            Vertx vertx,
            Supplier<SharedIndexInformer<GenericKubernetesResource>> informers,
            Consumer<List<JsonNode>> changed) {
        this.vertx = vertx;
        this.informers = informers;
        this.changed = changed;
        context = vertx.getOrCreateContext();
    }

    /** Completes once the existing objects were listed, or after 2 seconds without: the watch goes on either way. */
    Future<Void> start() {
        informer = informers.get();
        return begin(informer, FIRST_WITHIN_MS).otherwiseEmpty();
    }

    /**
     * Starts another watch in place of this one, which may be dead: a connection that carries nothing any more looks
     * like one on which nothing happens. At most once in 30 seconds.
     */
    void renew() {
        if (renewed) {
            return;
        }
        renewed = true;
        vertx.setTimer(ANEW_EVERY_MS, passed -> renewed = false);
        var next = informers.get();
        begin(next, ANEW_WITHIN_MS)
                .onSuccess(listed -> {
                    if (stopped) {
                        stop(next);
                        return;
                    }
                    stop(informer);
                    informer = next;
                    report(next, all(next));
                })
                .onFailure(late -> stop(next));
    }

    Future<Void> stop() {
        stopped = true;
        return informer == null ? Future.succeededFuture() : stop(informer);
    }

    private Future<Void> begin(SharedIndexInformer<GenericKubernetesResource> begun, long withinMs) {
        begun.exceptionHandler((started, failure) -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                    .log("The watch of schedulers failed; it is started again.");
            return true;
        });
        begun.addEventHandler(handler(begun));
        return Future.fromCompletionStage(begun.start(), context).timeout(withinMs, TimeUnit.MILLISECONDS);
    }

    private Future<Void> stop(SharedIndexInformer<GenericKubernetesResource> ended) {
        return vertx.executeBlocking(() -> {
            ended.stop();
            return null;
        });
    }

    private static List<JsonNode> all(SharedIndexInformer<GenericKubernetesResource> of) {
        return of.getStore().list().stream().map(MAPPER::<JsonNode>valueToTree).toList();
    }

    private void report(SharedIndexInformer<GenericKubernetesResource> from, List<JsonNode> objects) {
        if (from == informer) {
            changed.accept(objects);
        }
    }

    private ResourceEventHandler<GenericKubernetesResource> handler(SharedIndexInformer<GenericKubernetesResource> of) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericKubernetesResource object) {
                onChange();
            }

            @Override
            public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
                onChange();
            }

            @Override
            public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
                onChange();
            }

            /** Converts them on the thread of the watch. */
            private void onChange() {
                var now = all(of);
                context.runOnContext(reported -> report(of, now));
            }
        };
    }
}
