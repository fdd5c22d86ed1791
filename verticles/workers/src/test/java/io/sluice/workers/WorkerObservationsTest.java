package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.units.Resources;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Goal: nothing that many workers need comes in one turn, and nothing more often than needed. */
@ExtendWith(VertxExtension.class)
class WorkerObservationsTest {
    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");
    private static final Duration WITHIN = Duration.ofSeconds(20);

    @Test
    void eachSecondHasItsShareOfTheWorkersAndNoneIsLeftOut(Vertx vertx) {
        var fleet = new WorkerFleet(WorkersConfig.DEFAULTS.timing(), 10_000, 10);
        for (int i = 0; i < 9_000; i++) {
            fleet.opened(hello("w" + i), i + 1, NOW);
        }
        fleet.step();
        var bus = new Bus(vertx);
        var observed = new ConcurrentLinkedQueue<String>();
        bus.subscribe(ClusterAddresses.NODE_OBSERVED, (NodeObserved node) -> observed.add(node.node()))
                .await();
        var observations = new WorkerObservations(bus, fleet, () -> NOW, () -> {});
        observations.some();
        await().atMost(WITHIN).until(() -> observed.size() == 200);
        for (int second = 1; second < 45; second++) {
            observations.some();
        }
        await().atMost(WITHIN).until(() -> observed.size() == 9_000);
        assertThat(Set.copyOf(observed)).hasSize(9_000);
    }

    @Test
    void aNodeIsLoadedWhenItIsNewAndNotAgainUntilTheLedgerRequestsIt(Vertx vertx) {
        var fleet = new WorkerFleet(WorkersConfig.DEFAULTS.timing(), 10, 10);
        fleet.opened(hello("w1"), 1, NOW);
        fleet.step();
        var bus = new Bus(vertx);
        var loads = new ConcurrentLinkedQueue<LoadNode>();
        bus.serve(LedgerAddresses.LOAD_NODE, load -> {
                    loads.add(load);
                    return Future.succeededFuture(new LoadReply(0, 0));
                })
                .await();
        var observed = new ConcurrentLinkedQueue<String>();
        bus.subscribe(ClusterAddresses.NODE_OBSERVED, (NodeObserved node) -> observed.add(node.node()))
                .await();
        var rooms = new AtomicInteger();
        var observations = new WorkerObservations(bus, fleet, () -> NOW, rooms::incrementAndGet);
        var worker = fleet.worker("w1").orElseThrow();
        observations.node(worker);
        await().atMost(WITHIN).until(() -> rooms.get() == 1);
        observations.node(worker);
        observations.node(worker);
        await().atMost(WITHIN).until(() -> rooms.get() == 3 && observed.size() == 3);
        assertThat(loads).hasSize(1);

        observations.everything();
        await().atMost(WITHIN).until(() -> loads.size() == 2);
    }

    private static WorkerHello hello(String id) {
        return new WorkerHello(id, "", 1, new Resources(1_000, 1_000), Map.of(), Set.of(), true, List.of(), 0);
    }
}
