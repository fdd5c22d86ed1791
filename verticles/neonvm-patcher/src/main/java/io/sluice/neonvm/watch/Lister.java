package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.ObjectReader;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.PodClaims;
import io.sluice.neonvm.core.observed.ScaledPods;
import io.sluice.neonvm.core.observed.WatchScope;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists nodes, then pods, VMs and migrations. The order has two effects: a listed VM is never older than its listed
 * pod, and a missing migration is over if its pod was listed. Pages become observations as they arrive and are then
 * dropped.
 */
final class Lister {
    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final int NO_SUCH_KIND = 404;
    private static final int TRIES_MAX = 3;

    private final PagedList pages;
    private final ObjectReader reader;
    private final ClusterModel model;
    private final PodClaims claims;
    private final ScaledPods scaled;
    private WatchedKind underWay = WatchedKind.NODES;
    private boolean loggedWithoutMigrations;
    private final boolean readsZones;
    private Optional<Long> zones = Optional.empty();

    /**
     * @param model what was last read of each object
     * @param claims the claims of the pods in the model
     * @param scaled the pods that are scaled in place
     * @param readsZones whether the zones of nodes are listed before them
     */
    Lister(
            KubernetesApi api,
            ObjectReader reader,
            ClusterModel model,
            PodClaims claims,
            ScaledPods scaled,
            WatchScope scope,
            boolean readsZones) {
        this.readsZones = readsZones;
        this.pages = new PagedList(api, scope);
        this.reader = reader;
        this.model = model;
        this.claims = claims;
        this.scaled = scaled;
    }

    /**
     * Lists all kinds.
     *
     * @param found receives the nodes; the other kinds are requested when its future completes
     * @param migrationsRequested runs after all other kinds were listed, right before migrations are requested
     */
    Future<FullList> list(Function<List<NodeObserved>, Future<Void>> found, Runnable migrationsRequested) {
        return zones().compose(listed -> list(WatchedKind.NODES, this::node))
                .compose(nodes -> found.apply(nodes.items()).map(nodes))
                .compose(nodes -> pods().compose(pods -> vms().compose(vms -> {
                    migrationsRequested.run();
                    return migrations()
                            .map(migrations ->
                                    FullList.of(nodes, claims.listed(pods, vms, migrations), vms, migrations));
                })));
    }

    /** The kind that is being listed, or was listed last. */
    WatchedKind underWay() {
        return underWay;
    }

    /** The version of the last list of zones; empty if there is no such kind. */
    Optional<Long> zonesListed() {
        return zones;
    }

    private Future<Void> zones() {
        if (!readsZones) {
            return Future.succeededFuture();
        }
        var names = new HashSet<String>();
        return list(WatchedKind.ZONES, object -> {
                    names.add(ObjectReader.name(object));
                    return Optional.of(reader.zones(object));
                })
                .map(part -> Optional.of(part.version()))
                .recover(failure ->
                        isMissing(failure) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure))
                .onSuccess(version -> {
                    zones = version;
                    reader.keepZones(names, version.orElse(Long.MAX_VALUE));
                })
                .mapEmpty();
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
        scaled.listed(pod);
        return reader.counts(pod) || PodReader.isPending(pod)
                ? reader.pod(pod, claims.known(ObjectReader.uid(pod)))
                : Optional.empty();
    }

    private <T> Future<FullList.Part<T>> list(WatchedKind watched, Function<JsonNode, Optional<T>> read) {
        return list(watched, read, 1);
    }

    /** If the list expires between two pages, it starts again at the first page. */
    private <T> Future<FullList.Part<T>> list(WatchedKind watched, Function<JsonNode, Optional<T>> read, int number) {
        underWay = watched;
        var items = new ArrayList<T>();
        return pages.list(watched, object -> read.apply(object).ifPresent(items::add))
                .map(version -> new FullList.Part<>(version, items))
                .recover(failure ->
                        failure instanceof RefusedException refused && refused.isExpired() && number < TRIES_MAX
                                ? list(watched, read, number + 1)
                                : Future.failedFuture(failure));
    }

    private Future<FullList.Part<PodReader.Reading>> pods() {
        scaled.beginList();
        return list(WatchedKind.PODS, this::pod);
    }

    /** Where pods are scaled there need not be any VMs, and the kind may be missing. */
    private Future<FullList.Part<VmObserved>> vms() {
        return list(WatchedKind.VMS, this::vm)
                .recover(failure -> scaled.enabled() && isMissing(failure)
                        ? Future.succeededFuture(new FullList.Part<>(FullList.NO_SUCH_KIND, List.of()))
                        : Future.failedFuture(failure));
    }

    private static boolean isMissing(Throwable failure) {
        return failure instanceof RefusedException refused && refused.status() == NO_SUCH_KIND;
    }

    /** Empty if the Kubernetes cluster has no such kind: then VMs are scaled and not migrated. */
    private Future<Optional<FullList.Part<MigrationObserved>>> migrations() {
        return list(WatchedKind.MIGRATIONS, this::migration)
                .map(Optional::of)
                .recover(failure ->
                        isMissing(failure) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure))
                .onSuccess(part -> logIfUnknown(part.isPresent()));
    }

    private void logIfUnknown(boolean known) {
        if (!known && !loggedWithoutMigrations) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, WatchedKind.MIGRATIONS.instance())
                    .log("The Kubernetes cluster does not have this kind of object; there are no migrations.");
        }
        loggedWithoutMigrations = !known;
    }
}
