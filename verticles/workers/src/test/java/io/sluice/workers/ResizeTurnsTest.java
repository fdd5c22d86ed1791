package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.resize.ResizeTurns;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ResizeTurnsTest {
    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final Resources SIZE = new Resources(1_000, 1_000);

    private final WorkerFleet fleet = new WorkerFleet(WorkersConfig.DEFAULTS.timing(), 10, 10);
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private final AtomicInteger looks = new AtomicInteger();
    private LedgerStandIn ledger;
    private ResizeTurns turns;
    private Instance instance;

    @BeforeEach
    void start(Vertx vertx) {
        fleet.opened(
                new WorkerHello(
                        "w1", "", 1, new Resources(4_000, 4_000), Map.of(), Set.of("Process"), true, List.of(), 0),
                1,
                NOW);
        fleet.submit(
                new InstanceSpec(
                        "work",
                        "a",
                        "{}",
                        "Process",
                        SIZE,
                        false,
                        InstanceSpec.Restart.ALWAYS,
                        Map.of(),
                        InstanceSpec.Gang.NONE),
                NOW);
        var waits = fleet.instance("a").orElseThrow();
        assertThat(fleet.bind(waits.uid(), waits.numbers().version(), WorkerNames.node("w1"), NOW))
                .isEmpty();
        instance = fleet.instance("a").orElseThrow();
        var bus = new Bus(vertx);
        ledger = new LedgerStandIn(bus, 4_000);
        new WorkerObservations(bus, fleet, () -> NOW, () -> {}).bound(instance);
        await().atMost(WITHIN).until(() -> ledger.reserved(instance.uid()) == 1_000);
        turns = new ResizeTurns(vertx, bus, fleet, () -> {
            looks.incrementAndGet();
            return leads.get();
        });
    }

    @Test
    void aProcessThatNoLongerLeadsGivesNothingBack(Vertx vertx) {
        leads.set(false);
        vertx.runOnContext(turn -> turns.giveBack(instance));
        await().atMost(WITHIN).until(() -> looks.get() > 1);
        assertThat(ledger.requests(1_000)).isZero();

        leads.set(true);
        await().atMost(WITHIN).until(() -> ledger.requests(1_000) == 1);
    }

    @Test
    void noMoreWaitThanThereIsRoomFor(Vertx vertx) {
        var target = new Resources(2_000, 1_000);
        var refused = Future.<Resources>future(promise -> vertx.runOnContext(turn -> {
            for (int i = 0; i < 17; i++) {
                turns.more(instance, target, permit -> permit);
            }
            turns.more(instance, target, permit -> permit).onComplete(promise);
        }));
        assertThat(refused.transform(ended -> Future.succeededFuture(ended.cause()))
                        .await())
                .hasMessageContaining("too many");
        await().atMost(WITHIN).until(() -> ledger.requests(2_000) == 17);
        await().atMost(WITHIN).until(() -> ledger.reserved(instance.uid()) == 1_000);
    }
}
