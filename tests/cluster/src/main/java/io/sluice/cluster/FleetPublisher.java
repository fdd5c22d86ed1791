package io.sluice.cluster;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Publishes what the role {@code cluster} would: every observation, a full list of each node until the ledger has taken
 * it, and that all was published; once at the start, and whenever somebody wants it again. Between lists it reports VMs
 * that were resized, some at a time, so that observations follow patches later.
 */
final class FleetPublisher extends VerticleBase {
    private static final Duration BETWEEN_LISTINGS = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration PATCHES_SEEN_EVERY = Duration.ofMillis(200);
    private static final int PATCHES_SEEN_AT_ONCE = 20;

    private final Fleet fleet;
    private final Inventory inventory;
    private final Set<Integer> unanswered = new HashSet<>();
    private Bus bus;
    private long listing;
    private boolean resting;
    private boolean wantedAgain;

    /** @param inventory of what there is; it outlives this */
    FleetPublisher(Fleet fleet, Inventory inventory) {
        this.fleet = fleet;
        this.inventory = inventory;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        vertx.setPeriodic(
                PATCHES_SEEN_EVERY.toMillis(),
                timer -> inventory
                        .takeResized(PATCHES_SEEN_AT_ONCE)
                        .forEach(vm -> bus.publish(ClusterAddresses.VM_SEEN, vm)));
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
        listing = inventory.list();
        unanswered.clear();
        for (int node = 0; node < fleet.nodes(); node++) {
            publish(node);
            unanswered.add(node);
            load(node, listing);
        }
    }

    private void publish(int node) {
        bus.publish(ClusterAddresses.NODE_SEEN, fleet.nodeSeen(node));
        inventory.podsOn(node).forEach(pod -> bus.publish(ClusterAddresses.POD_SEEN, pod));
        inventory.vmsOn(node).forEach(vm -> bus.publish(ClusterAddresses.VM_SEEN, vm));
    }

    /**
     * Asks what the list has to name and hands it over, until it is taken, or a newer list takes its place; each
     * attempt reads anew what there is.
     */
    private void load(int node, long mine) {
        if (listing != mine) {
            return;
        }
        bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(fleet.nodeSeen(node)))
                .compose(replied -> listing == mine
                        ? bus.request(LedgerAddresses.LOAD_NODE, list(node, replied))
                        : Future.succeededFuture(replied))
                .onSuccess(replied -> {
                    if (replied.relist().isEmpty()) {
                        loaded(node, mine);
                    } else {
                        load(node, mine);
                    }
                })
                .onFailure(lost -> vertx.setTimer(RETRY.toMillis(), timer -> load(node, mine)));
    }

    private LoadNode list(int node, LoadReply replied) {
        var list = inventory.nodeList(node);
        return replied.relist().map(list::relist).orElse(list);
    }

    private void loaded(int node, long mine) {
        if (listing == mine && unanswered.remove(node) && unanswered.isEmpty()) {
            bus.publish(ClusterAddresses.LISTED, new FullListPublished(fleet.nodes(), fleet.vms(), fleet.vms()));
        }
    }
}
