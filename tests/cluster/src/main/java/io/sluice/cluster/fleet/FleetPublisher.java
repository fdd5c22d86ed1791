package io.sluice.cluster.fleet;

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
 * Publishes what the role {@code cluster} publishes: every observation, a full list of each node until the ledger has
 * accepted it, and that all is published; at the start, and on each request for a full list. Between full lists it
 * publishes resized VMs, some at a time, so that observations are later than patches.
 */
final class FleetPublisher extends VerticleBase {
    private static final Duration BETWEEN_FULL_LISTS = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration PATCHES_OBSERVED_EVERY = Duration.ofMillis(200);
    private static final int PATCHES_OBSERVED_AT_ONCE = 20;

    private final Fleet fleet;
    private final Inventory inventory;
    private final Set<Integer> unanswered = new HashSet<>();
    private Bus bus;
    private long fullList;
    private boolean resting;
    private boolean wantedAgain;

    /** @param inventory the current objects; it outlives this verticle */
    FleetPublisher(Fleet fleet, Inventory inventory) {
        this.fleet = fleet;
        this.inventory = inventory;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        vertx.setPeriodic(
                PATCHES_OBSERVED_EVERY.toMillis(),
                timer -> inventory
                        .takeResized(PATCHES_OBSERVED_AT_ONCE)
                        .forEach(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm)));
        return bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> list()).onSuccess(received -> list());
    }

    private void list() {
        if (resting) {
            wantedAgain = true;
            return;
        }
        resting = true;
        wantedAgain = false;
        vertx.setTimer(BETWEEN_FULL_LISTS.toMillis(), timer -> {
            resting = false;
            if (wantedAgain) {
                list();
            }
        });
        fullList = inventory.list();
        unanswered.clear();
        for (int node = 0; node < fleet.nodes(); node++) {
            publish(node);
            unanswered.add(node);
            load(node, fullList);
        }
    }

    private void publish(int node) {
        bus.publish(ClusterAddresses.NODE_OBSERVED, fleet.nodeObserved(node));
        inventory.podsOn(node).forEach(pod -> bus.publish(ClusterAddresses.POD_OBSERVED, pod));
        inventory.vmsOn(node).forEach(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm));
    }

    /**
     * Requests what the full list has to name and sends it, until it is accepted or a newer list replaces it. Each
     * attempt reads the current objects anew.
     */
    private void load(int node, long mine) {
        if (fullList != mine) {
            return;
        }
        bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(fleet.nodeObserved(node)))
                .compose(replied -> fullList == mine
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
        if (fullList == mine && unanswered.remove(node) && unanswered.isEmpty()) {
            bus.publish(ClusterAddresses.LISTED, new FullListPublished(fleet.nodes(), fleet.vms(), fleet.vms()));
        }
    }
}
