package io.sluice.cluster;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.Listed;
import io.sluice.messages.ledger.LoadNode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells of the fleet what the role {@code cluster} would: every fact, a load of each node until the ledger has taken
 * it, and that all was told; once at the start, and whenever somebody wants it again.
 */
final class Facts extends VerticleBase {
    private static final Duration BETWEEN_LISTINGS = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long VERSION_STEP = 1_000;

    private final Fleet fleet;
    private final AtomicLong version;
    private final Set<Integer> unanswered = new HashSet<>();
    private Bus bus;
    private long listing;
    private boolean resting;
    private boolean wantedAgain;

    /** @param version of the newest listing; it outlives this */
    Facts(Fleet fleet, AtomicLong version) {
        this.fleet = fleet;
        this.version = version;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        return bus.subscribe(ClusterAddresses.RESYNC_WANTED, wanted -> list()).onSuccess(heard -> list());
    }

    private void list() {
        if (resting) {
            wantedAgain = true;
            return;
        }
        resting = true;
        wantedAgain = false;
        vertx.setTimer(BETWEEN_LISTINGS.toMillis(), timer -> {
            resting = false;
            if (wantedAgain) {
                list();
            }
        });
        listing = version.addAndGet(VERSION_STEP);
        unanswered.clear();
        for (int node = 0; node < fleet.nodes(); node++) {
            tell(node);
            unanswered.add(node);
            load(node, listing);
        }
    }

    private void tell(int node) {
        bus.publish(ClusterAddresses.NODE_SEEN, fleet.nodeSeen(node));
        fleet.vmsOn(node).forEach(vm -> {
            bus.publish(ClusterAddresses.POD_SEEN, fleet.podSeen(vm));
            bus.publish(ClusterAddresses.VM_SEEN, fleet.vmSeen(vm));
        });
    }

    /** Until it is answered, or a newer listing takes its place. */
    private void load(int node, long mine) {
        if (listing != mine) {
            return;
        }
        var pods = fleet.vmsOn(node).mapToObj(fleet::podSeen).toList();
        var vms = fleet.vmsOn(node).mapToObj(fleet::vmSeen).toList();
        bus.request(LedgerAddresses.LOAD_NODE, new LoadNode(fleet.nodeSeen(node), mine, pods, vms))
                .onSuccess(taken -> loaded(node, mine))
                .onFailure(lost -> vertx.setTimer(RETRY.toMillis(), timer -> load(node, mine)));
    }

    private void loaded(int node, long mine) {
        if (listing == mine && unanswered.remove(node) && unanswered.isEmpty()) {
            bus.publish(ClusterAddresses.LISTED, new Listed(fleet.nodes(), fleet.vms(), fleet.vms()));
        }
    }
}
