package io.sluice.agent.scheduler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.shell.LogKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of one kind by uid, as a watch reports them. The watch is started again without end when it breaks; the
 * objects stay meanwhile.
 *
 * @param <T> the kind
 * @param <V> what is stored of each
 */
final class SchedulerPodWatch<T extends HasMetadata, V> {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerPodWatch.class);
    private static final long FIRST_WITHIN_MS = 2_000;

    private final Vertx vertx;
    private final SharedIndexInformer<T> informer;
    private final Map<String, V> objects = new LinkedHashMap<>();

    /** A watch that calls {@code changed} on this context after each change. */
    SchedulerPodWatch(Vertx vertx, SharedIndexInformer<T> informer, Function<T, V> kept, Runnable changed) {
        this.vertx = vertx;
        this.informer = informer;
        var context = vertx.getOrCreateContext();
        informer.exceptionHandler((begun, failure) -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                    .log("The watch of schedulers failed; it is started again.");
            return true;
        });
        informer.addEventHandler(handler(context, kept, changed));
    }

    /** Completes once the existing objects were listed, or after 2 seconds without: the watch goes on either way. */
    Future<Void> start() {
        return Future.fromCompletionStage(informer.start(), vertx.getOrCreateContext())
                .timeout(FIRST_WITHIN_MS, TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }

    Map<String, V> objects() {
        return objects;
    }

    Future<Void> stop() {
        return vertx.executeBlocking(() -> {
            informer.stop();
            return null;
        });
    }

    private ResourceEventHandler<T> handler(Context context, Function<T, V> kept, Runnable changed) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                keep(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                keep(object);
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                var uid = object.getMetadata().getUid();
                context.runOnContext(reported -> {
                    objects.remove(uid);
                    changed.run();
                });
            }

            private void keep(T object) {
                var uid = object.getMetadata().getUid();
                var value = kept.apply(object);
                context.runOnContext(reported -> {
                    objects.put(uid, value);
                    changed.run();
                });
            }
        };
    }
}
