package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.ObjectReader;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.WatchMetrics;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.gangs.PodGroupObjects;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.objects.SchedulingFields;
import io.sluice.neonvm.core.observed.WatchScope;
import io.sluice.shell.Backoff;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what scheduling reads of pods, nodes, namespaces and volumes, while this process places pods. A full list
 * is published when its term begins, every few minutes and on request; changes are published as they arrive.
 */
public final class SchedulingVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulingVerticle.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final int NO_SUCH_KIND = 404;

    /** Pods come last, so that what they use is known. */
    private static final List<Watched> KINDS = List.of(
            new Watched(WatchedKind.NAMESPACES, Kind.NAMESPACE, SchedulingFields::namespace),
            new Watched(WatchedKind.NODES, Kind.NODE, SchedulingFields::node),
            new Watched(WatchedKind.DRIVERS, Kind.DRIVERS, SchedulingFields::drivers),
            new Watched(WatchedKind.STORAGE_CLASSES, Kind.STORAGE_CLASS, SchedulingFields::storageClass),
            new Watched(WatchedKind.VOLUMES, Kind.VOLUME, SchedulingFields::volume),
            new Watched(WatchedKind.CLAIMS, Kind.VOLUME_CLAIM, SchedulingFields::claim),
            new Watched(WatchedKind.ATTACHMENTS, Kind.ATTACHMENT, SchedulingFields::attachment),
            new Watched(
                    WatchedKind.PODS, Kind.POD, pod -> PodGroupObjects.withMembership(pod, SchedulingFields.pod(pod))));

    private static final List<Watched> POD_GROUPS = Stream.of(
                    WatchedKind.POD_GROUPS, WatchedKind.POD_GROUPS_SIGS, WatchedKind.POD_GROUPS_KUBERNETES)
            .map(kind -> new Watched(
                    kind, Kind.POD_GROUP, object -> PodGroupObjects.fields(PodGroupObjects.group(kind.path()), object)))
            .toList();

    private static final Watched BUDGETS =
            new Watched(WatchedKind.BUDGETS, Kind.DISRUPTION_BUDGET, SchedulingFields::budget);

    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final Supplier<Optional<String>> missing;
    private final String consumer;
    private final List<Watched> kinds;
    private Bus bus;
    private PagedList pages;
    private KindWatcher.Dependencies watching;
    private Backoff.Failures backoff;
    private Optional<Term> term = Optional.empty();

    /** One kind, and how its fields are picked. */
    private record Watched(WatchedKind watched, Kind kind, Function<JsonNode, JsonNode> fields) {
        SchedulingChange.Observed observed(JsonNode object, long list) {
            return new SchedulingChange.Observed(
                    kind,
                    key(object),
                    NodeReader.version(object),
                    list,
                    fields.apply(object).toString());
        }

        SchedulingChange.Gone gone(JsonNode object) {
            return new SchedulingChange.Gone(kind, key(object), NodeReader.version(object));
        }

        private String key(JsonNode object) {
            return switch (kind) {
                case POD -> ObjectReader.uid(object);
                case VOLUME_CLAIM, DISRUPTION_BUDGET ->
                    object.path("metadata").path("namespace").asText() + "/" + ObjectReader.name(object);
                case POD_GROUP ->
                    PodGroupObjects.group(watched.path()) + "/"
                            + object.path("metadata").path("namespace").asText() + "/" + ObjectReader.name(object);
                case NODE, NAMESPACE, VOLUME, DRIVERS, ATTACHMENT, STORAGE_CLASS -> ObjectReader.name(object);
            };
        }

        boolean counts(JsonNode object) {
            return kind != Kind.POD
                    || PodReader.counts(object)
                    || PodReader.isPending(object)
                    || PodGroupObjects.isMember(object);
        }
    }

    /**
     * What is needed only where pods are evicted, or gangs placed.
     *
     * @param budgets disruption budgets
     * @param gangs the objects of gangs
     */
    public record Reads(boolean budgets, boolean gangs) {}

    /** The watches of one term, and its full lists. */
    private static final class Term {
        private final Map<WatchedKind, KindWatcher> watches = new EnumMap<>(WatchedKind.class);
        private boolean underWay;
        private boolean wanted;
    }

    /** The objects of one full list so far. */
    private static final class Count {
        private int objects;
    }

    /**
     * A verticle that publishes during the terms of this process.
     *
     * @param client shared by the whole process and closed by its owner
     * @param missing why this process may not place pods now; empty while it may
     * @param consumer by whose requests a full list is published again
     * @param reads what is needed besides
     */
    public SchedulingVerticle(
            KubernetesConfig kubernetes,
            Shell shell,
            KubernetesClient client,
            Supplier<Optional<String>> missing,
            String consumer,
            Reads reads) {
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
        this.missing = missing;
        this.consumer = consumer;
        var all = new ArrayList<Watched>();
        if (reads.budgets()) {
            all.add(BUDGETS);
        }
        if (reads.gangs()) {
            all.addAll(POD_GROUPS);
        }
        all.addAll(KINDS);
        this.kinds = List.copyOf(all);
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        var api = new KubernetesApi(vertx, client, kubernetes, shell.meters());
        pages = new PagedList(api, WatchScope.CLUSTER);
        watching = new KindWatcher.Dependencies(vertx, api, shell, new WatchMetrics(shell.meters()));
        backoff = new Backoff(RETRY_FIRST, RETRY_LONGEST).failures(shell.random());
        vertx.setPeriodic(LOOK_EVERY.toMillis(), timer -> look());
        vertx.setPeriodic(kubernetes.relistEvery().toMillis(), timer -> term.ifPresent(this::list));
        look();
        return bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> {
            if (request.by().equals(consumer) || request.by().equals(RelistRequest.BUS)) {
                term.ifPresent(this::list);
            }
        });
    }

    @Override
    public Future<?> stop() {
        end();
        return Future.succeededFuture();
    }

    private void look() {
        boolean may = missing.get().isEmpty();
        if (may && term.isEmpty()) {
            begin();
        } else if (!may) {
            end();
        }
    }

    private void begin() {
        var begun = new Term();
        for (var kind : kinds) {
            begun.watches.put(
                    kind.watched(),
                    new KindWatcher(
                            kind.watched(),
                            new KindWatcher.Options("", kubernetes.watchSilence()),
                            watching,
                            listener(kind, begun)));
        }
        term = Optional.of(begun);
        list(begun);
    }

    private void end() {
        term.ifPresent(ended -> ended.watches.values().forEach(KindWatcher::close));
        term = Optional.empty();
    }

    private KindWatcher.Listener listener(Watched kind, Term of) {
        return new KindWatcher.Listener() {
            @Override
            public void changed(JsonNode object, boolean gone) {
                if (gone || !kind.counts(object)) {
                    bus.publish(ClusterAddresses.SCHEDULING, kind.gone(object));
                } else {
                    read(kind, object, 0).ifPresent(observed -> bus.publish(ClusterAddresses.SCHEDULING, observed));
                }
            }

            @Override
            public void expired() {
                list(of);
            }
        };
    }

    /** An object that is invalid is left out, so that it does not stop the others. */
    private static Optional<SchedulingChange> read(Watched kind, JsonNode object, long list) {
        try {
            return Optional.of(kind.observed(object, list));
        } catch (IllegalArgumentException unreadable) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, kind.watched().instance())
                    .addKeyValue(LogKeys.REASON, unreadable.getMessage())
                    .log("An object cannot be read, and scheduling does not see it.");
            return Optional.empty();
        }
    }

    /** At most one full list of a term is taken at a time, and at most one more is pending. */
    private void list(Term of) {
        if (of.underWay) {
            of.wanted = true;
            return;
        }
        of.underWay = true;
        long number = shell.random().nextLong(1, Long.MAX_VALUE);
        bus.publish(ClusterAddresses.SCHEDULING, new SchedulingChange.ListBegun(number));
        var published = new Count();
        Future<Void> all = Future.succeededFuture();
        for (var kind : kinds) {
            all = all.compose(done -> list(kind, of, number, published));
        }
        all.compose(done ->
                        missing.get().<Future<Void>>map(Future::failedFuture).orElseGet(Future::succeededFuture))
                .onSuccess(done -> {
                    backoff.reset();
                    bus.publish(ClusterAddresses.SCHEDULING, new SchedulingChange.Listed(number, published.objects));
                    again(of, false, RETRY_FIRST.toMillis());
                })
                .onFailure(failure -> {
                    LOG.atWarn()
                            .addKeyValue(LogKeys.REASON, KubernetesApi.words(failure))
                            .log("What scheduling reads could not be listed; trying again.");
                    again(
                            of,
                            true,
                            Math.max(
                                    backoff.nextMs(),
                                    RefusedException.retryAfter(failure).toMillis()));
                });
    }

    private void again(Term of, boolean wanted, long afterMs) {
        vertx.setTimer(afterMs, timer -> {
            boolean more = wanted || of.wanted;
            of.underWay = false;
            of.wanted = false;
            if (more && term.filter(now -> now == of).isPresent()) {
                list(of);
            }
        });
    }

    /** A kind that the API server does not have has no objects. */
    private Future<Void> list(Watched kind, Term of, long number, Count published) {
        if (term.filter(now -> now == of).isEmpty()) {
            return Future.failedFuture("the term has ended");
        }
        return pages.list(kind.watched(), object -> {
                    // A process that was paused may have read this before another one's term.
                    if (kind.counts(object) && missing.get().isEmpty()) {
                        read(kind, object, number).ifPresent(observed -> {
                            published.objects++;
                            bus.publish(ClusterAddresses.SCHEDULING, observed);
                        });
                    }
                })
                .onSuccess(version -> of.watches.get(kind.watched()).listed(version))
                .<Void>mapEmpty()
                .recover(failure -> failure instanceof RefusedException refused && refused.status() == NO_SUCH_KIND
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure));
    }
}
