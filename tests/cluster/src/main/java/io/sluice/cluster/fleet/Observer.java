package io.sluice.cluster.fleet;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import io.sluice.bus.Bus;
import io.sluice.bus.EventAddress;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.cluster.process.Place;
import io.sluice.launcher.cluster.Discovery;
import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.launcher.cluster.Membership;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.shell.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a lite member: it publishes observations, reads ledger snapshots, and reads which process owns which
 * node ledger. When it loses its Hazelcast cluster it joins anew, like any process.
 */
public final class Observer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);
    private static final long ANSWER_SECONDS_MAX = 30;

    private final Place place;
    private final List<Place> ledgersAt;
    private final int ledgers;
    private final Fleet fleet;
    private final Inventory inventory;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CompletableFuture<Void> ending = new CompletableFuture<>();
    private volatile Optional<Present> present = Optional.empty();

    public Observer(Place place, List<Place> ledgersAt, int ledgers, Fleet fleet, Inventory inventory) {
        this.place = place;
        this.ledgersAt = List.copyOf(ledgersAt);
        this.ledgers = ledgers;
        this.fleet = fleet;
        this.inventory = inventory;
    }

    private record Present(Membership membership, Bus bus) {}

    public void start() {
        Thread.ofPlatform().daemon().name("observer").start(this::live);
    }

    private void live() {
        try {
            while (!ending.isDone()) {
                stay();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            over.countDown();
        }
    }

    private void stay() throws InterruptedException {
        Optional<Membership> joined;
        try {
            joined = Membership.join(config(), Set.of(), Optional.empty(), new Readiness(), ending::isDone);
        } catch (HazelcastException | IllegalStateException refused) {
            LOG.atWarn().setCause(refused).log("The observer could not join and tries again.");
            over.await(1, TimeUnit.SECONDS);
            return;
        }
        if (joined.isPresent()) {
            stay(joined.get());
        }
    }

    private void stay(Membership membership) throws InterruptedException {
        try {
            var vertx = on(membership);
            try {
                present = Optional.of(new Present(membership, new Bus(vertx)));
                awaited(vertx.deployVerticle(new FleetPublisher(fleet, inventory)));
                CompletableFuture.anyOf(membership.lost(), ending).get();
            } finally {
                present = Optional.empty();
                awaited(vertx.close());
            }
        } catch (ExecutionException | TimeoutException failed) {
            LOG.atWarn().setCause(failed).log("The observer leaves and joins anew.");
        } finally {
            membership.leave();
        }
    }

    private static Vertx on(Membership membership) throws InterruptedException, ExecutionException, TimeoutException {
        return awaited(
                membership.vertx(new VertxOptions(), options -> Vertx.builder().with(options)));
    }

    private static <T> T awaited(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private HazelcastConfig config() {
        return new HazelcastConfig(
                Discovery.TCP,
                HazelcastConfig.DEFAULTS.name(),
                place.host(),
                place.port(),
                place.busPort(),
                "",
                ledgersAt.stream().map(Place::endpoint).toList(),
                "",
                "",
                ledgers,
                HazelcastConfig.DEFAULTS.busTls(),
                true);
    }

    /** The ledger state of all nodes; empty if there was no reply. Blocks. */
    public Optional<List<NodeLedgerView>> ledger() {
        return request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")).map(Snapshot::nodes);
    }

    /** Sends a request and waits for the reply; empty if there was none. */
    <Q, A> Optional<A> request(RequestAddress<Q, A> address, Q request) {
        return present.flatMap(here -> {
            try {
                return Optional.of(here.bus()
                        .request(address, request)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
            } catch (ExecutionException | TimeoutException silent) {
                return Optional.empty();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        });
    }

    /** Publishes an event, without a confirmation; sends nothing while this process is no member. */
    public <E> void publish(EventAddress<E> address, E event) {
        present.ifPresent(here -> here.bus().publish(address, event));
    }

    /** Number of members that this process sees, itself included. */
    public int members() {
        return present.map(here -> here.membership().peers().all().size()).orElse(0);
    }

    /**
     * The process that has a node's ledger state, by the partition table of this process.
     *
     * @param copy 0 for the owner's, 1 for the first replica
     * @return an endpoint; empty if there is none
     */
    public Optional<String> ownerOf(String node, int copy) {
        return present.flatMap(here -> {
            try {
                if (!(here.membership().member() instanceof HazelcastInstanceProxy proxy)) {
                    return Optional.empty();
                }
                var table = proxy.getOriginal().node.getPartitionService();
                var replica =
                        table.getPartition(table.getPartitionId(node), false).getReplica(copy);
                return Optional.ofNullable(replica)
                        .map(there -> there.address().getHost() + ":"
                                + there.address().getPort());
            } catch (HazelcastInstanceNotActiveException stopping) {
                return Optional.empty();
            }
        });
    }

    @Override
    public void close() {
        ending.complete(null);
        try {
            over.await(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
