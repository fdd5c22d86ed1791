package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodClaims;
import io.sluice.neonvm.core.PodReader;
import io.sluice.neonvm.core.WatchScope;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists nodes, then pods, VMs and migrations: a VM that is listed after its pod is never older than it, and a migration
 * that is missing after the pod that it made is over. Pages are turned into facts as they come, and dropped.
 */
final class Lister {
    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final int OK = 200;
    private static final int NO_SUCH_KIND = 404;
    private static final int PAGE = 500;
    private static final int TRIES_MAX = 3;

    private final KubernetesApi api;
    private final ObjectReader reader;
    private final ClusterModel model;
    private final PodClaims claims;
    private final WatchScope scope;
    private WatchedKind underWay = WatchedKind.NODES;
    private boolean saidWithoutMigrations;

    /**
     * @param model what was last read of each object
     * @param claims of the pods in it
     */
    Lister(KubernetesApi api, ObjectReader reader, ClusterModel model, PodClaims claims, WatchScope scope) {
        this.api = api;
        this.reader = reader;
        this.model = model;
        this.claims = claims;
        this.scope = scope;
    }

    /** What was read of the pages so far. All show one instant, whose version the first one names. */
    private static final class Pages<T> {
        private final List<T> items = new ArrayList<>();
        private long version;
        private String next = "";
    }

    /**
     * Lists all kinds.
     *
     * @param found told of the nodes; what runs on them is requested once it is done
     * @param migrationsAsked run once all else was listed, right before migrations are
     */
    Future<FullList> list(Function<List<NodeObserved>, Future<Void>> found, Runnable migrationsAsked) {
        return list(WatchedKind.NODES, this::node)
                .compose(nodes -> found.apply(nodes.items()).map(nodes))
                .compose(nodes -> list(WatchedKind.PODS, this::pod)
                        .compose(pods -> list(WatchedKind.VMS, this::vm).compose(vms -> {
                            migrationsAsked.run();
                            return migrations()
                                    .map(migrations ->
                                            new FullList(nodes, claims.listed(pods, vms, migrations), vms, migrations));
                        })));
    }

    /** What is being listed, or was at last. */
    WatchedKind underWay() {
        return underWay;
    }

    private Optional<NodeObserved> node(JsonNode node) {
        return reader.node(node, model.node(ObjectReader.name(node)));
    }

    private Optional<VmObserved> vm(JsonNode vm) {
        return reader.vm(vm, model);
    }

    private Optional<MigrationObserved> migration(JsonNode migration) {
        return reader.migration(migration, model.migration(ObjectReader.uid(migration)));
    }

    private Optional<PodReader.Reading> pod(JsonNode pod) {
        return reader.counts(pod) ? reader.pod(pod, claims.known(ObjectReader.uid(pod))) : Optional.empty();
    }

    private <T> Future<FullList.Part<T>> list(WatchedKind watched, Function<JsonNode, Optional<T>> read) {
        return list(watched, read, 1);
    }

    /** What is forgotten between two pages is listed anew, from the first. */
    private <T> Future<FullList.Part<T>> list(WatchedKind watched, Function<JsonNode, Optional<T>> read, int number) {
        underWay = watched;
        return rest(watched, read, new Pages<T>())
                .recover(failure ->
                        failure instanceof RefusedException refused && refused.isExpired() && number < TRIES_MAX
                                ? list(watched, read, number + 1)
                                : Future.failedFuture(failure));
    }

    private <T> Future<FullList.Part<T>> rest(
            WatchedKind watched, Function<JsonNode, Optional<T>> read, Pages<T> pages) {
        return api.get(page(watched, pages.next)).compose(answer -> {
            take(watched, answer, read, pages);
            return pages.next.isEmpty()
                    ? Future.succeededFuture(new FullList.Part<>(pages.version, pages.items))
                    : rest(watched, read, pages);
        });
    }

    private String page(WatchedKind watched, String next) {
        return watched.path() + "?limit=" + PAGE + watched.selector(scope)
                + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
    }

    private static <T> void take(
            WatchedKind watched, KubernetesApi.Answer answer, Function<JsonNode, Optional<T>> read, Pages<T> pages) {
        if (answer.status() != OK) {
            throw new RefusedException("listing " + watched.path(), answer.status(), answer.retryAfter());
        }
        var list = answer.body();
        if (pages.next.isEmpty()) {
            pages.version = NodeReader.version(list);
        }
        pages.next = list.path("metadata").path("continue").asText("");
        list.path("items").forEach(object -> read.apply(object).ifPresent(pages.items::add));
    }

    /** Empty where the cluster knows no migrations at all: VMs are scaled there, and nothing is moved. */
    private Future<Optional<FullList.Part<MigrationObserved>>> migrations() {
        return list(WatchedKind.MIGRATIONS, this::migration)
                .map(Optional::of)
                .recover(failure -> failure instanceof RefusedException refused && refused.status() == NO_SUCH_KIND
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure))
                .onSuccess(part -> sayIfUnknown(part.isPresent()));
    }

    private void sayIfUnknown(boolean known) {
        if (!known && !saidWithoutMigrations) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, WatchedKind.MIGRATIONS.instance())
                    .log("The cluster does not know this kind of object; there are no migrations.");
        }
        saidWithoutMigrations = !known;
    }
}
