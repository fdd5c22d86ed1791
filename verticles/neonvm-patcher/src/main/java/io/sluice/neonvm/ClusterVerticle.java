package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.FullListStart;
import io.sluice.neonvm.core.NeonVmKeys;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodClaims;
import io.sluice.neonvm.core.VmReader;
import io.sluice.neonvm.core.WatchScope;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the others what runs where. Changes are told as they come; everything is told again at each full listing, which
 * comes every few minutes, when somebody asks for it, and when a node is new.
 *
 * <p>Of several processes each tells all of it, and one leads: it alone hands listings to the ledger, whose versions
 * must not fall, and says that a listing is through, as others count those.
 */
public final class ClusterVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterVerticle.class);
    private static final String PART = "cluster";
    private static final String FIRST_LISTING = "the first full listing of nodes, pods, VMs and migrations";
    private static final String DONE = "done";
    private static final String FAILED = "failed";
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final long BETWEEN_LISTINGS_MS = 1000;
    private static final long WATCHED_EVERY_MS = 1000;

    private final ClusterConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final boolean books;
    private final WatchScope scope;
    private final ClusterModel model;
    private final PodClaims claims;
    private ObjectReader reader;
    private WatchBackoff backoff;
    private Bus bus;
    private ObservationPublisher teller;
    private WatchMetrics watchMeters;
    private SourceMarks marks;
    private MarkRemoval marksOver;
    private OwnerReader owners;
    private Lister lister;
    private NodeLoads loads;
    private ReservationReclaimer settler;
    private Watches watches;
    private RelistTurn turn = RelistTurn.IDLE;
    private Optional<FullList> newest = Optional.empty();
    private Optional<Peers.Watching> watching = Optional.empty();
    private long openingsBefore;
    private RelistLeader lead;
    private Optional<String> notListed = Optional.of("nothing was listed yet");
    private boolean led;
    private long reign;
    private boolean stopped;

    /** At most one listing at a time, and at most one more waiting for it. */
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
            boolean books,
            WatchScope scope) {
        this.config = config;
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
        this.books = books;
        this.scope = scope;
        this.model = new ClusterModel(scope);
        this.claims = new PodClaims(model);
    }

    /** One that asks no ledger, for processes that have none on their bus: it tells facts, and that is all. */
    public static ClusterVerticle withoutLedger(
            ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        return new ClusterVerticle(config, kubernetes, shell, client, false, WatchScope.CLUSTER);
    }

    /** The same for what runs on one node: of all else nothing is told, and nothing kept. */
    public static ClusterVerticle ofNode(
            String node, ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        return new ClusterVerticle(config, kubernetes, shell, client, false, WatchScope.ofNode(node));
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, FIRST_LISTING);
        bus = new Bus(vertx);
        teller = new ObservationPublisher(bus);
        lead = new RelistLeader(shell, bus, PART);
        List.of(DONE, FAILED).forEach(this::listings);
        reader = new ObjectReader(config, shell.meters());
        backoff = new WatchBackoff(RETRY_FIRST, RETRY_LONGEST, shell.random());
        watchMeters = new WatchMetrics(shell.meters());
        marks = new SourceMarks(
                bus,
                shell.meters(),
                (target, reserved) -> teller.tell(model.answered(target, reserved)),
                (target, reserved) -> teller.tell(model.markedAgain(target, reserved)));
        marksOver = new MarkRemoval(vertx, bus, shell.meters(), () -> books && !stopped && lead.mine());
        var api = new KubernetesApi(vertx, client, kubernetes, shell.meters());
        owners = new OwnerReader(
                api,
                found -> vm(found, false),
                found -> migration(found, false),
                uid -> claims.read(uid).ifPresent(this::counts));
        lister = new Lister(api, reader, model, claims, scope);
        settler = new ReservationReclaimer(
                vertx, bus, new VmClaims(api), model::vmInPod, shell.random(), lead::mine, shell.clock());
        loads = new NodeLoads(vertx, bus, shell.random(), this::loaded, this::listSooner);
        watches = new Watches(
                new KindWatcher.Home(vertx, api, shell, watchMeters),
                scope,
                kubernetes.watchSilence(),
                Map.of(
                        WatchedKind.NODES, listener(WatchedKind.NODES, this::node),
                        WatchedKind.PODS, listener(WatchedKind.PODS, this::pod),
                        WatchedKind.VMS, listener(WatchedKind.VMS, this::vm),
                        WatchedKind.MIGRATIONS, listener(WatchedKind.MIGRATIONS, this::migration)));
        shell.dumps().offer(PART, new ClusterDump(context, model, watches));
        vertx.setPeriodic(kubernetes.resync().toMillis(), timer -> list());
        vertx.setPeriodic(WATCHED_EVERY_MS, timer -> look());
        led = lead.mine();
        watching = Optional.of(shell.peers().watch(() -> context.runOnContext(turn -> weighLead())));
        return lead.hear(this::weighLead)
                .compose(heard -> bus.subscribe(ClusterAddresses.RESYNC_WANTED, wanted -> listSooner()))
                .compose(subscribed -> books
                        ? bus.subscribe(LedgerAddresses.NODE_CHANGED, sums -> settle(sums.node(), sums.unsettled()))
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
            settler.close();
            watches.close();
        }
        return Future.succeededFuture();
    }

    private void loaded(String node, LoadReply reply) {
        settle(node, reply.unsettled());
    }

    private void settle(String node, int unsettled) {
        if (unsettled > 0) {
            settler.after(config.settleAfter(), node);
        }
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

    /** Once a second. */
    private void look() {
        if (!stopped) {
            lead.look(notListed.or(watches::unheard));
            weighLead();
            sayWhatIsWatched();
        }
    }

    /**
     * When a listing was begun.
     *
     * @param reign how often this process had taken the lead
     * @param list what the ledger replied before
     */
    private record Start(long reign, FullListStart list) {}

    /**
     * Whether a listing that was begun then is to be handed over by this process: before its reign others did newer.
     */
    private boolean leadsSince(Start begun) {
        return led && begun.reign() == reign && lead.mine();
    }

    /** Whoever led before may have gone between a listing and what follows from it. */
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
        Arrays.stream(WatchedKind.values()).forEach(watchMeters::relistWanted);
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
        var asked = books && lead.mine() ? Optional.of(begun.list()) : Optional.<FullListStart>empty();
        lister.list(nodes -> loads.ask(nodes, asked), marksOver::migrationsAsked)
                .onSuccess(listing -> listed(listing, begun))
                .onFailure(this::notListed);
    }

    private void listed(FullList listing, Start begun) {
        if (stopped) {
            return;
        }
        // First of all, so that there is a next listing whatever happens; a storm of wishes costs one a second.
        vertx.setTimer(BETWEEN_LISTINGS_MS, timer -> nextTurn());
        listings(DONE).increment();
        backoff.reset();
        newest = Optional.of(listing);
        notListed = Optional.empty();
        loads.announce(listing.nodes().items());
        publish(model.listed(listing));
        marksOver.listed(listing);
        reader.keepOnly(model.vms());
        watches.listed(listing);
        // What a VM is moved to counts at what is booked where it leaves, and the loads carry the same.
        marks.quiet().onSuccess(quiet -> load(listing, begun));
    }

    private void load(FullList listing, Start begun) {
        boolean replaced = newest.filter(found -> found == listing).isEmpty();
        if (stopped || replaced) {
            return;
        }
        boolean ours = leadsSince(begun);
        if (lead.mine() && !ours) {
            return;
        }
        var loaded = books && ours ? loads.load(model.loads(listing), begun.list()) : Future.<Void>succeededFuture();
        loaded.onSuccess(answered -> {
            shell.readiness().ready(PART);
            if (leadsSince(begun)) {
                through(listing.told());
            }
        });
    }

    private void through(FullListPublished counts) {
        bus.publish(ClusterAddresses.LISTED, counts);
        if (books) {
            marks.repeat(model.moving());
        }
    }

    private void notListed(Throwable failure) {
        listings(FAILED).increment();
        if (stopped) {
            return;
        }
        var words = lister.underWay().path() + " cannot be listed: " + KubernetesApi.words(failure);
        notListed = Optional.of(words);
        if (newest.isEmpty()) {
            shell.readiness().waitFor(PART, FIRST_LISTING + "; " + words);
        }
        LOG.atWarn()
                .addKeyValue(LogKeys.ENDPOINT, kubernetes.url())
                .addKeyValue(LogKeys.REASON, words)
                .log("The cluster could not be listed; trying again.");
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
            teller.tell(model.nodeGone(name, NodeReader.version(node)));
            return;
        }
        reader.node(node, model.node(name)).ifPresent(seen -> {
            teller.tell(model.changed(seen));
            if (!loads.knows(seen.node())) {
                listSooner();
            }
        });
    }

    private void pod(JsonNode pod, boolean gone) {
        var uid = ObjectReader.uid(pod);
        if (!gone && reader.counts(pod)) {
            reader.pod(pod, claims.known(uid)).map(claims::changed).ifPresent(decision -> {
                decision.pod().ifPresent(this::counts);
                decision.wanted().ifPresent(owners::read);
            });
        } else {
            claims.forget(uid);
            teller.tell(model.podGone(uid, NodeReader.version(pod)));
        }
    }

    private void vm(JsonNode vm, boolean gone) {
        if (gone) {
            teller.tell(model.vmGone(VmReader.id(vm), VmReader.version(vm)));
            return;
        }
        reader.vm(vm, model).ifPresent(seen -> {
            var facts = model.changed(seen);
            claims.acceptedWith(seen.vm().namespace(), seen.vm().name()).forEach(this::counts);
            teller.tell(facts);
        });
    }

    private void migration(JsonNode migration, boolean gone) {
        var uid = ObjectReader.uid(migration);
        if (gone) {
            publish(model.migrationGone(uid, NodeReader.version(migration)));
            return;
        }
        reader.migration(migration, model.migration(uid)).ifPresent(seen -> {
            var step = model.changed(seen);
            claims.acceptedWith(seen.namespace(), seen.vmName()).forEach(this::counts);
            publish(step);
        });
    }

    private void counts(PodObserved pod) {
        publish(model.changed(pod));
    }

    /** A watch that was just begun again first tells of what was missed: it counts once it has lasted for a while. */
    private void sayWhatIsWatched() {
        var vms = watches.state(WatchedKind.VMS);
        if (vms.watching() && vms.openings() == openingsBefore) {
            bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched(NeonVmKeys.DRIVER, vms.version()));
        }
        openingsBefore = vms.openings();
    }

    private void publish(ClusterModel.Step step) {
        teller.tell(step.facts());
        marksOver.takeBack(step.marksOver());
        if (books) {
            marks.ask(step.questions());
        } else {
            // Nobody here books anything: what a VM is moved to is told at the VM's maximum.
            step.questions().forEach(question -> teller.tell(model.answered(question.target(), Optional.empty())));
        }
    }

    private Counter listings(String outcome) {
        return Counter.builder("sluice.cluster.listings")
                .description("Full listings of the cluster by how they ended")
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
