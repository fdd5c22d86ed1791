package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.Listing;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/** Lists nodes, then pods, then VMs: a VM that is listed after its pod is never older than it. */
final class Lister {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";

    private final KubernetesApi api;
    private final ObjectReader reader;
    private final ClusterModel model;

    /** @param model what was last read of each object */
    Lister(KubernetesApi api, ObjectReader reader, ClusterModel model) {
        this.api = api;
        this.reader = reader;
        this.model = model;
    }

    Future<Listing> list() {
        return list(NODES)
                .compose(nodes -> list(PODS)
                        .compose(pods -> list(KubernetesApi.vmsPath())
                                .map(vms -> new Listing(
                                        read(nodes, node -> reader.node(node, model.node(ObjectReader.name(node)))),
                                        read(pods, this::pod),
                                        read(vms, vm -> reader.vm(vm, model.vm(ObjectReader.uid(vm))))))));
    }

    private Optional<PodSeen> pod(JsonNode pod) {
        return PodReader.counts(pod) ? reader.pod(pod, model.pod(ObjectReader.uid(pod))) : Optional.empty();
    }

    private static <T> Listing.Part<T> read(Listing.Part<JsonNode> part, Function<JsonNode, Optional<T>> read) {
        List<T> items =
                part.items().stream().map(read).flatMap(Optional::stream).toList();
        return new Listing.Part<>(part.version(), items);
    }

    private Future<Listing.Part<JsonNode>> list(String path) {
        return api.get(path).map(answer -> {
            if (answer.status() != 200) {
                throw new IllegalStateException("listing " + path + " was answered " + answer.status());
            }
            var items = StreamSupport.stream(answer.body().path("items").spliterator(), false)
                    .toList();
            return new Listing.Part<>(NodeReader.version(answer.body()), items);
        });
    }
}
