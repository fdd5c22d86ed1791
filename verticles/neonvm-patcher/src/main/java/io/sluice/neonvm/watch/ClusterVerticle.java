package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.ObjectReader;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.WatchMetrics;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.FullListStart;
import io.sluice.neonvm.core.observed.PodClaims;
import io.sluice.neonvm.core.observed.ScaledPods;
import io.sluice.neonvm.core.observed.WatchScope;
import io.sluice.neonvm.patch.VmClaims;
import io.sluice.shell.Backoff;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes observations of nodes, pods, VMs and migrations. Changes are published as they arrive. Everything is
 * published again with each full list, which is taken every few minutes, on request, and when a node is new.
 *
 * <p>With several processes each publishes all observations, and one of them leads. The leader alone loads the ledger
 * from full lists, since their versions must not fall, and publishes that a full list is done, since consumers count
 * these events.
 */
public final class ClusterVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterVerticle.class);
    static final String PART = "cluster";
    private static final String FIRST_FULL_LIST = "the first full list of nodes, pods, VMs and migrations";
    private static final String DONE = "done";
    private static final String FAILED = "failed";
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final long BETWEEN_FULL_LISTS_MS = 1000;
    private static final long WATCHED_EVERY_MS = 1000;

    private final ClusterConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final boolean ledger;
    private final WatchScope scope;
    private final ClusterModel model;
    private final PodClaims claims;
    private final ScaledPods scaled;
    private ObjectReader reader;
    private Backoff.Failures backoff;
    private Bus bus;
    private ObservationPublisher publisher;
    private WatchMetrics watchMeters;
    private SourceMarks marks;
    private MarkRemoval marksOver;
    private OwnerReader owners;
    private Lister lister;
    private NodeLoads loads;
    private ReservationReclaimer reclaimer;
    private Watches watches;
    private RelistTurn turn = RelistTurn.IDLE;
    private Optional<FullList> newest = Optional.empty();
    private Optional<Peers.Watching> watching = Optional.empty();
    private long openingsBefore;
    private long podOpeningsBefore;
    private RelistLeader lead;
    private volatile Optional<String> notListed = Optional.of("no full list yet");
    private boolean led;
    private long reign;
    private boolean stopped;

    /** At most one full list is taken at a time, and at most one more is pending. */
    private enum RelistTurn {
        IDLE,
        UNDER_WAY,
        UNDER_WAY_AND_WANTED_AGAIN
    }

    /** @param client shared by the whole process and closed by its owner */
    public ClusterVerticle(ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        this(config, kubernetes, shell, client, true, WatchScope.CLUSTER);
    }

    private ClusterVerticle(
            ClusterConfig config,
            KubernetesConfig kubernetes,
            Shell shell,
            KubernetesClient client,
            boolean ledger,
            WatchScope scope) {
        this.config = config;
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
        this.ledger = ledger;
        this.scope = scope;
        this.model = new ClusterModel(scope);
        this.claims = new PodClaims(model);
        this.scaled = new ScaledPods(config.scalePods());
    }

    /**
     * A verticle for processes without a ledger on their bus: it publishes observations and sends no request to a
     * ledger.
     */
    public static ClusterVerticle withoutLedger(
            ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        return new ClusterVerticle(config, kubernetes, shell, client, false, WatchScope.CLUSTER);
    }

    /** As {@link #withoutLedger}, but it publishes and keeps only what runs on one node. */
    public static ClusterVerticle ofNode(
            String node, ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        return new ClusterVerticle(config, kubernetes, shell, client, false, WatchScope.ofNode(node));
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, FIRST_FULL_LIST);
        bus = new Bus(vertx);
        publisher = new ObservationPublisher(bus);
        lead = new RelistLeader(shell, bus, PART);
        List.of(DONE, FAILED).forEach(this::fullLists);
        reader = new ObjectReader(config, shell.meters());
        backoff = new Backoff(RETRY_FIRST, RETRY_LONGEST).failures(shell.random());
        watchMeters = new WatchMetrics(shell.meters());
        marks = new SourceMarks(
                bus,
                shell.meters(),
                (target, reserved) -> publisher.publish(model.answered(target, reserved)),
                (target, reserved) -> publisher.publish(model.markedAgain(target, reserved)));
        marksOver = new MarkRemoval(vertx, bus, shell.meters(), () -> ledger && !stopped && lead.mine());
        var api = new KubernetesApi(vertx, client, kubernetes, shell.meters());
        owners = new OwnerReader(
                api,
                found -> vm(found, false),
                found -> migration(found, false),
                uid -> claims.read(uid).ifPresent(this::counts));
        lister = new Lister(api, reader, model, claims, scaled, scope, config.zones());
        reclaimer = new ReservationReclaimer(
                vertx, bus, new VmClaims(api), this::vmInPod, shell.random(), lead::mine, shell.clock());
        loads = new NodeLoads(vertx, bus, shell.random(), this::loaded, this::listSooner);
        watches = new Watches(
                new KindWatcher.Dependencies(vertx, api, shell, watchMeters),
                scope,
                kubernetes.watchSilence(),
                listeners());
        shell.readiness().reports(PART, "full list", this::notListedAgain);
        shell.readiness().reports(PART, "watches", () -> watches.trouble(notListed.isPresent()));
        shell.dumps().offer(PART, new ClusterDump(context, model, watches));
        vertx.setPeriodic(kubernetes.relistEvery().toMillis(), timer -> list());
        vertx.setPeriodic(WATCHED_EVERY_MS, timer -> look());
        led = lead.mine();
        watching = Optional.of(shell.peers().watch(() -> context.runOnContext(turn -> weighLead())));
        return lead.subscribe(this::weighLead)
                .compose(received -> bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> listSooner()))
                .compose(subscribed -> ledger
                        ? bus.subscribe(LedgerAddresses.NODE_CHANGED, sums -> reclaim(sums.node(), sums.unsettled()))
                        : Future.succeededFuture())
                .onSuccess(subscribed -> list());
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        watching.ifPresent(Peers.Watching::close);
        shell.readiness().ready(PART);
        shell.dumps().withdraw(PART);
        if (watches != null) {
            lead.close();
            loads.close();
            reclaimer.close();
            watches.close();
        }
        return Future.succeededFuture();
    }

    private void loaded(String node, LoadReply reply) {
        reclaim(node, reply.unsettled());
    }

    private void reclaim(String node, int unsettled) {
        if (unsettled > 0) {
            reclaimer.after(config.reclaimAfter(), node);
        }
    }

    private Map<WatchedKind, KindWatcher.Listener> listeners() {
        var listeners = new EnumMap<WatchedKind, KindWatcher.Listener>(WatchedKind.class);
        listeners.put(WatchedKind.NODES, listener(WatchedKind.NODES, this::node));
        listeners.put(WatchedKind.PODS, listener(WatchedKind.PODS, this::pod));
        listeners.put(WatchedKind.VMS, listener(WatchedKind.VMS, this::vm));
        listeners.put(WatchedKind.MIGRATIONS, listener(WatchedKind.MIGRATIONS, this::migration));
        if (config.zones()) {
            listeners.put(WatchedKind.ZONES, listener(WatchedKind.ZONES, this::zones));
        }
        return listeners;
    }

    private KindWatcher.Listener listener(WatchedKind watched, BiConsumer<JsonNode, Boolean> changed) {
        return new KindWatcher.Listener() {
            @Override
            public void changed(JsonNode object, boolean gone) {
                changed.accept(object, gone);
            }

            @Override
            public void expired() {
                watchMeters.relistWanted(watched);
                list();
            }
        };
    }

    /** Runs once a second. */
    private void look() {
        if (!stopped) {
            lead.look(notListed.or(watches::missing));
            weighLead();
            publishWhatIsWatched();
        }
    }

    /**
     * The state at the start of a full list.
     *
     * @param reign how many times this process had become the leader
     * @param list the ledger's earlier replies
     */
    private record Start(long reign, FullListStart list) {}

    /**
     * Whether this process may deliver a full list with that start. Lists that were begun before it became the leader
     * are older than those of the former leader.
     */
    private boolean leadsSince(Start begun) {
        return led && begun.reign() == reign && lead.mine();
    }

    /** The former leader may have ended between a full list and the messages that follow it. */
    private void weighLead() {
        boolean leads = lead.mine();
        if (leads && !led) {
            reign++;
            listSooner();
        } else if (!leads && led) {
            loads.leave();
        }
        led = leads;
    }

    private void listSooner() {
        watches.kinds().forEach(watchMeters::relistWanted);
        list();
    }

    private void list() {
        if (stopped) {
            return;
        }
        if (turn != RelistTurn.IDLE) {
            turn = RelistTurn.UNDER_WAY_AND_WANTED_AGAIN;
            return;
        }
        turn = RelistTurn.UNDER_WAY;
        var begun = new Start(reign, loads.begin());
        marksOver.look();
        var requested = ledger && lead.mine() ? Optional.of(begun.list()) : Optional.<FullListStart>empty();
        lister.list(nodes -> loads.request(nodes, requested), marksOver::migrationsRequested)
                .onSuccess(fullList -> listed(fullList, begun))
                .onFailure(this::notListed);
    }

    private void listed(FullList fullList, Start begun) {
        if (stopped) {
            return;
        }
        // Set first, so that a next list is always possible. Many requests cost one list a second.
        vertx.setTimer(BETWEEN_FULL_LISTS_MS, timer -> nextTurn());
        fullLists(DONE).increment();
        backoff.reset();
        newest = Optional.of(fullList);
        notListed = Optional.empty();
        loads.announce(fullList.nodes().items());
        publish(model.listed(fullList));
        publisher.publish(scaled.listed(fullList.pods().version()));
        marksOver.listed(fullList);
        reader.keepOnly(model.vms(), fullList.nodes().items());
        watches.listed(fullList);
        lister.zonesListed().ifPresent(watches::zonesListed);
        // A target pod counts at what is reserved at the source, and the loads contain the same amount.
        marks.quiet().onSuccess(quiet -> load(fullList, begun));
    }

    private void load(FullList fullList, Start begun) {
        boolean replaced = newest.filter(found -> found == fullList).isEmpty();
        if (stopped || replaced) {
            return;
        }
        boolean ours = leadsSince(begun);
        if (lead.mine() && !ours) {
            return;
        }
        var loaded = ledger && ours ? loads.load(loadsOf(fullList), begun.list()) : Future.<Void>succeededFuture();
        loaded.onSuccess(answered -> {
            shell.readiness().ready(PART);
            if (leadsSince(begun)) {
                through(fullList.published());
            }
        });
    }

    private List<LoadNode> loadsOf(FullList fullList) {
        return model.loads(fullList).stream().map(scaled::completed).toList();
    }

    private Optional<VmObserved> vmInPod(String uid) {
        return scaled.find(uid).or(() -> model.vmInPod(uid));
    }

    private void through(FullListPublished counts) {
        bus.publish(ClusterAddresses.LISTED, counts);
        if (ledger) {
            marks.repeat(model.moving());
        }
    }

    /** The first full list is what the part waits for; a later one that fails is trouble. */
    private Optional<String> notListedAgain() {
        return stopped || shell.readiness().reasons().containsKey(PART) ? Optional.empty() : notListed;
    }

    private void notListed(Throwable failure) {
        fullLists(FAILED).increment();
        if (stopped) {
            return;
        }
        var words = lister.underWay().path() + " cannot be listed: " + KubernetesApi.words(failure);
        notListed = Optional.of(words);
        if (newest.isEmpty()) {
            shell.readiness().waitFor(PART, FIRST_FULL_LIST + "; " + words);
        }
        LOG.atWarn()
                .addKeyValue(LogKeys.ENDPOINT, kubernetes.url())
                .addKeyValue(LogKeys.REASON, words)
                .log("The Kubernetes cluster could not be listed; trying again.");
        var wait =
                Math.max(backoff.nextMs(), RefusedException.retryAfter(failure).toMillis());
        vertx.setTimer(wait, timer -> {
            turn = RelistTurn.IDLE;
            list();
        });
    }

    private void nextTurn() {
        boolean again = turn == RelistTurn.UNDER_WAY_AND_WANTED_AGAIN;
        turn = RelistTurn.IDLE;
        if (again) {
            list();
        }
    }

    private void node(JsonNode node, boolean gone) {
        var name = ObjectReader.name(node);
        if (gone) {
            reader.nodeGone(name);
            publisher.publish(model.nodeGone(name, NodeReader.version(node)));
            return;
        }
        reader.node(node, model.node(name)).ifPresent(observed -> {
            publisher.publish(model.changed(observed));
            if (!loads.contains(observed.node())) {
                listSooner();
            }
        });
    }

    private void zones(JsonNode topology, boolean gone) {
        var name = ObjectReader.name(topology);
        var zones = gone ? reader.withoutZones(name, NodeReader.version(topology)) : reader.zones(topology);
        model.node(name)
                .map(known -> known.with(zones))
                .ifPresent(observed -> publisher.publish(model.changed(observed)));
    }

    private void pod(JsonNode pod, boolean gone) {
        var uid = ObjectReader.uid(pod);
        if (!gone && (reader.counts(pod) || PodReader.isPending(pod))) {
            reader.pod(pod, claims.known(uid)).map(claims::changed).ifPresent(decision -> {
                decision.pod().ifPresent(this::counts);
                decision.pending().ifPresent(owners::read);
            });
            publisher.publish(scaled.changed(pod));
        } else {
            claims.forget(uid);
            publisher.publish(model.podGone(uid, NodeReader.version(pod)));
            publisher.publish(scaled.gone(uid, NodeReader.version(pod)));
        }
    }

    private void vm(JsonNode vm, boolean gone) {
        if (gone) {
            publisher.publish(model.vmGone(VmReader.id(vm), VmReader.version(vm)));
            return;
        }
        reader.vm(vm, model).ifPresent(observed -> {
            var observations = model.changed(observed);
            claims.acceptedWith(observed.vm().namespace(), observed.vm().name()).forEach(this::counts);
            publisher.publish(observations);
        });
    }

    private void migration(JsonNode migration, boolean gone) {
        var uid = ObjectReader.uid(migration);
        if (gone) {
            publish(model.migrationGone(uid, NodeReader.version(migration)));
            return;
        }
        reader.migration(migration, model.migration(uid)).ifPresent(observed -> {
            var step = model.changed(observed);
            claims.acceptedWith(observed.namespace(), observed.vmName()).forEach(this::counts);
            publish(step);
        });
    }

    private void counts(PodObserved pod) {
        if (pod.isPending()) {
            publisher.publish(model.waits(pod));
            return;
        }
        publish(model.changed(pod));
    }

    /**
     * A reopened watch first delivers the changes that were missed. So it counts as current only after one period
     * without a reopening; after one that broke or was silent, only once it has received something.
     */
    private void publishWhatIsWatched() {
        var pods = watches.state(WatchedKind.PODS);
        if (scaled.enabled() && pods.watching() && pods.proven() && pods.openings() == podOpeningsBefore) {
            bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched(ScaledPodKeys.DRIVER, pods.version()));
        }
        podOpeningsBefore = pods.openings();
        var vms = watches.state(WatchedKind.VMS);
        if (vms.watching() && vms.proven() && vms.openings() == openingsBefore) {
            bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched(NeonVmKeys.DRIVER, vms.version()));
        }
        openingsBefore = vms.openings();
    }

    private void publish(ClusterModel.Step step) {
        publisher.publish(step.observations());
        marksOver.takeBack(step.marksOver());
        if (ledger) {
            marks.request(step.requests());
        } else {
            // Without a ledger a target pod is published at its VM's maximum.
            step.requests().forEach(request -> publisher.publish(model.answered(request.target(), Optional.empty())));
        }
    }

    private Counter fullLists(String outcome) {
        return Counter.builder("sluice.cluster.full.lists")
                .description("Full lists of the Kubernetes cluster, by outcome")
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
