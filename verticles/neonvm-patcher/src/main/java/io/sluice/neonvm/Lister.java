package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.Listing;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodReader;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists nodes, then pods, VMs and migrations: a VM that is listed after its pod is never older than it, and a migration
 * that is missing after the pod that it made is over.
 */
final class Lister {
    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final int NO_SUCH_KIND = 404;

    private final KubernetesApi api;
    private final ObjectReader reader;
    private final ClusterModel model;
    private boolean saidWithoutMigrations;

    /** @param model what was last read of each object */
    Lister(KubernetesApi api, ObjectReader reader, ClusterModel model) {
        this.api = api;
        this.reader = reader;
        this.model = model;
    }

    Future<Listing> list() {
        return list(Watched.NODES)
                .compose(nodes -> list(Watched.PODS)
                        .compose(pods -> list(Watched.VMS)
                                .compose(vms -> migrations()
                                        .map(migrations -> new Listing(
                                                read(nodes, this::node),
                                                read(pods, this::pod),
                                                read(vms, this::vm),
                                                migrations.map(part -> read(part, this::migration)))))));
    }

    private Optional<NodeSeen> node(JsonNode node) {
        return reader.node(node, model.node(ObjectReader.name(node)));
    }

    private Optional<VmSeen> vm(JsonNode vm) {
        return reader.vm(vm, model.vm(ObjectReader.uid(vm)));
    }

    private Optional<MigrationSeen> migration(JsonNode migration) {
        return reader.migration(migration, model.migration(ObjectReader.uid(migration)));
    }

    private Optional<PodSeen> pod(JsonNode pod) {
        return PodReader.counts(pod) ? reader.pod(pod, model.pod(ObjectReader.uid(pod))) : Optional.empty();
    }

    private static <T> Listing.Part<T> read(Listing.Part<JsonNode> part, Function<JsonNode, Optional<T>> read) {
        List<T> items =
                part.items().stream().map(read).flatMap(Optional::stream).toList();
        return new Listing.Part<>(part.version(), items);
    }

    private Future<Listing.Part<JsonNode>> list(Watched watched) {
        return api.get(watched.path()).map(answer -> part(watched, answer));
    }

    /** Empty where the cluster knows no migrations at all: VMs are scaled there, and nothing is moved. */
    private Future<Optional<Listing.Part<JsonNode>>> migrations() {
        return api.get(Watched.MIGRATIONS.path()).map(answer -> {
            boolean known = answer.status() != NO_SUCH_KIND;
            if (!known && !saidWithoutMigrations) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.KIND, Watched.MIGRATIONS.instance())
                        .log("The cluster does not know this kind of object; there are no migrations.");
            }
            saidWithoutMigrations = !known;
            return known ? Optional.of(part(Watched.MIGRATIONS, answer)) : Optional.empty();
        });
    }

    private static Listing.Part<JsonNode> part(Watched watched, KubernetesApi.Answer answer) {
        if (answer.status() != 200) {
            throw new IllegalStateException("listing " + watched.path() + " was answered " + answer.status());
        }
        var items = StreamSupport.stream(answer.body().path("items").spliterator(), false)
                .toList();
        return new Listing.Part<>(NodeReader.version(answer.body()), items);
    }
}
