package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.Listed;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.Fact;
import io.sluice.neonvm.core.Listing;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodReader;
import io.sluice.neonvm.core.VmReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the others what runs where. Changes are told as they come; everything is told again at each full listing, which
 * comes every few minutes, when somebody asks for it, and when a node is new.
 */
public final class ClusterVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterVerticle.class);
    private static final String PART = "cluster";
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final long BETWEEN_LISTINGS_MS = 1000;

    private final ClusterConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final ClusterModel model = new ClusterModel();
    private ObjectReader reader;
    private Backoff backoff;
    private Bus bus;
    private Lister lister;
    private NodeLoads loads;
    private Settler settler;
    private Informers informers;
    private ListingTurn turn = ListingTurn.IDLE;
    private boolean watching;
    private boolean stopped;

    /** At most one listing at a time, and at most one more waiting for it. */
    private enum ListingTurn {
        IDLE,
        UNDER_WAY,
        UNDER_WAY_AND_WANTED_AGAIN
    }

    /** @param client shared by the whole process and closed by its owner */
    public ClusterVerticle(ClusterConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        this.config = config;
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "the first full listing of nodes, pods and VMs");
        bus = new Bus(vertx);
        reader = new ObjectReader(config, shell.meters());
        backoff = new Backoff(RETRY_FIRST, RETRY_LONGEST, shell.random());
        var api = new KubernetesApi(vertx, client, kubernetes);
        lister = new Lister(api, reader, model);
        settler = new Settler(vertx, bus, new VmClaims(api), model::vmInPod, shell.random());
        loads = new NodeLoads(vertx, bus, shell.random(), (node, reply) -> {
            if (reply.recovered() > 0) {
                settler.after(config.settleAfter(), node);
            }
        });
        informers = new Informers(client, context, new Informers.Handlers(this::node, this::pod, this::vm));
        vertx.setPeriodic(kubernetes.resync().toMillis(), timer -> list());
        return bus.subscribe(ClusterAddresses.RESYNC_WANTED, wanted -> list()).onSuccess(subscribed -> list());
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        shell.readiness().ready(PART);
        if (informers == null) {
            return Future.succeededFuture();
        }
        loads.close();
        settler.close();
        return vertx.executeBlocking(() -> {
            informers.stop();
            return null;
        });
    }

    private void list() {
        if (stopped) {
            return;
        }
        if (turn != ListingTurn.IDLE) {
            turn = ListingTurn.UNDER_WAY_AND_WANTED_AGAIN;
            return;
        }
        turn = ListingTurn.UNDER_WAY;
        lister.list().onSuccess(this::listed).onFailure(this::notListed);
    }

    private void listed(Listing listing) {
        if (stopped) {
            return;
        }
        // First of all, so that whatever happens below, there is a next listing; a storm of wishes costs one a second.
        vertx.setTimer(BETWEEN_LISTINGS_MS, timer -> nextTurn());
        count("done");
        backoff.reset();
        var outcome = model.listed(listing);
        outcome.facts().forEach(this::publish);
        if (!watching) {
            watching = true;
            informers.start();
        }
        var counts = new Listed(
                listing.nodes().items().size(),
                listing.pods().items().size(),
                listing.vms().items().size());
        loads.load(outcome.loads()).onSuccess(answered -> {
            bus.publish(ClusterAddresses.LISTED, counts);
            shell.readiness().ready(PART);
        });
    }

    private void notListed(Throwable failure) {
        count("failed");
        if (stopped) {
            return;
        }
        LOG.atWarn()
                .addKeyValue(LogKeys.ENDPOINT, kubernetes.url())
                .addKeyValue(LogKeys.REASON, KubernetesApi.words(failure))
                .log("The cluster could not be listed; trying again.");
        vertx.setTimer(backoff.nextMs(), timer -> {
            turn = ListingTurn.IDLE;
            list();
        });
    }

    private void nextTurn() {
        boolean again = turn == ListingTurn.UNDER_WAY_AND_WANTED_AGAIN;
        turn = ListingTurn.IDLE;
        if (again) {
            list();
        }
    }

    private void node(JsonNode node, boolean gone) {
        var name = ObjectReader.name(node);
        if (gone) {
            publish(model.nodeGone(name, NodeReader.version(node)));
            return;
        }
        reader.node(node, model.node(name)).ifPresent(seen -> {
            publish(model.changed(seen));
            if (!loads.knows(seen.node())) {
                list();
            }
        });
    }

    private void pod(JsonNode pod, boolean gone) {
        var uid = ObjectReader.uid(pod);
        if (!gone && PodReader.counts(pod)) {
            reader.pod(pod, model.pod(uid)).ifPresent(seen -> publish(model.changed(seen)));
        } else {
            publish(model.podGone(uid, NodeReader.version(pod)));
        }
    }

    private void vm(JsonNode vm, boolean gone) {
        if (gone) {
            publish(model.vmGone(VmReader.id(vm), VmReader.version(vm)));
            return;
        }
        reader.vm(vm, model.vm(ObjectReader.uid(vm))).ifPresent(seen -> publish(model.changed(seen)));
    }

    private void publish(List<Fact> facts) {
        facts.forEach(this::publish);
    }

    private void publish(Fact fact) {
        switch (fact) {
            case Fact.NodeCame(var seen) -> bus.publish(ClusterAddresses.NODE_SEEN, seen);
            case Fact.NodeWent(var gone) -> bus.publish(ClusterAddresses.NODE_GONE, gone);
            case Fact.PodCame(var seen) -> bus.publish(ClusterAddresses.POD_SEEN, seen);
            case Fact.PodWent(var gone) -> bus.publish(ClusterAddresses.POD_GONE, gone);
            case Fact.VmCame(var seen) -> bus.publish(ClusterAddresses.VM_SEEN, seen);
            case Fact.VmWent(var gone) -> bus.publish(ClusterAddresses.VM_GONE, gone);
        }
    }

    private void count(String outcome) {
        Counter.builder("sluice.cluster.listings")
                .description("Full listings of the cluster by how they ended")
                .tag("outcome", outcome)
                .register(shell.meters())
                .increment();
    }
}
