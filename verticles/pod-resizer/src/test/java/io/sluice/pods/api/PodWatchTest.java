package io.sluice.pods.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection that carries nothing any more, behind informers that a test makes up. */
@ExtendWith(VertxExtension.class)
class PodWatchTest {
    private final List<Informer> informers = new ArrayList<>();
    private final LinkedBlockingQueue<String> reported = new LinkedBlockingQueue<>();
    private Context context;
    private PodWatch watch;

    @BeforeEach
    void start(Vertx vertx) {
        context = vertx.getOrCreateContext();
        onContext(() -> {
            watch = new PodWatch(
                    vertx,
                    () -> {
                        var made = new Informer();
                        informers.add(made);
                        return made.stub();
                    },
                    pod -> reported.add(pod.id().name() + " " + pod.version()),
                    pod -> reported.add(pod.id().name() + " ended"));
            watch.start();
        });
    }

    @Test
    void aWatchThatWasQuietIsReplacedByOneThatListsAnew() throws InterruptedException {
        informers.getFirst().lists(pod("a", 1), pod("b", 2));
        assertThat(reported.take()).isEqualTo("a 1");
        assertThat(reported.take()).isEqualTo("b 2");
        onContext(watch::look);
        assertThat(informers).as("it has received something").hasSize(1);

        onContext(watch::look);
        assertThat(informers).hasSize(2);
        informers.get(1).lists(pod("b", 2), pod("c", 3));
        assertThat(reported.take()).isEqualTo("c 3");
        assertThat(reported.take()).isEqualTo("a ended");
        informers.getFirst().stopped.join();
        onContext(() -> assertThat(watch.all()).hasSize(2));
    }

    @Test
    void aWatchThatReceivesChangesStays() throws InterruptedException {
        informers.getFirst().lists(pod("a", 1));
        for (int version = 2; version < 5; version++) {
            onContext(watch::look);
            informers.getFirst().handler.onUpdate(pod("a", 1), pod("a", version));
        }

        assertThat(reported.take()).isEqualTo("a 1");
        assertThat(reported.take()).isEqualTo("a 2");
        assertThat(informers).hasSize(1);
    }

    private void onContext(Runnable work) {
        var done = new CompletableFuture<Void>();
        context.runOnContext(turn -> Future.succeededFuture()
                .<Void>map(begun -> {
                    work.run();
                    return null;
                })
                .onComplete(done::complete, done::completeExceptionally));
        done.join();
    }

    private static GenericKubernetesResource pod(String name, int version) {
        return new GenericKubernetesResourceBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(name)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("containers", List.of(Map.of("name", "main"))))
                .build();
    }

    private static final class Informer {
        final CompletableFuture<Void> listed = new CompletableFuture<>();
        final CompletableFuture<Void> stopped = new CompletableFuture<>();
        private volatile List<GenericKubernetesResource> pods = List.of();
        private ResourceEventHandler<GenericKubernetesResource> handler;

        void lists(GenericKubernetesResource... all) {
            pods = List.of(all);
            pods.forEach(handler::onAdd);
            listed.complete(null);
        }

        @SuppressWarnings("unchecked")
        SharedIndexInformer<GenericKubernetesResource> stub() {
            return (SharedIndexInformer<GenericKubernetesResource>) stub(
                    SharedIndexInformer.class, (self, method, args) -> {
                        switch (method.getName()) {
                            case "addEventHandler" ->
                                handler = (ResourceEventHandler<GenericKubernetesResource>) args[0];
                            case "stop" -> stopped.complete(null);
                            case "start" -> {
                                return listed;
                            }
                            case "getStore" -> {
                                return stub(Store.class, (store, list, none) -> pods);
                            }
                            default -> {}
                        }
                        return method.getReturnType().isInstance(self) ? self : null;
                    });
        }

        private static <T> T stub(Class<T> type, java.lang.reflect.InvocationHandler calls) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
        }
    }
}
