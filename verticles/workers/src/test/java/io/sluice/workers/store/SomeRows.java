package io.sluice.workers.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rows of a worker, an instance on it and its order. */
final class SomeRows {
    static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");

    private SomeRows() {}

    static List<Row> rows() {
        var second = Duration.ofSeconds(1);
        var fleet = new WorkerFleet(new FleetTiming(second, second, second, second, second, second), 10, 10);
        fleet.submit(
                new InstanceSpec(
                        "work",
                        "a",
                        "{}",
                        "Process",
                        new Resources(1, 2),
                        true,
                        InstanceSpec.Restart.ALWAYS,
                        Map.of("zone", "z1"),
                        new InstanceSpec.Gang("gang", 1)),
                NOW);
        fleet.opened(
                new WorkerHello(
                        "w1",
                        "key",
                        7,
                        new Resources(3, 4),
                        Map.of("zone", "z1"),
                        Set.of("Process"),
                        true,
                        List.<InstanceReport>of(),
                        0),
                1,
                NOW);
        fleet.place(1, NOW);
        var waits = fleet.instance("a").orElseThrow();
        assertThat(fleet.bind(waits.uid(), waits.numbers().version(), "worker:w1", NOW))
                .isEmpty();
        return fleet.step().rows();
    }

    /** A store that has them gives the same ones back. */
    static void loadedFrom(FleetStore store) {
        var stored = store.load();
        assertThat(rows())
                .hasSize(3)
                .contains(new Row.OfInstance(stored.instances().getFirst()))
                .contains(new Row.OfOrder(stored.orders().getFirst()));
        assertThat(stored.workers().getFirst().lastSeq()).isEqualTo(1);
        assertThat(stored.workers().getFirst().hello().labels()).containsEntry("zone", "z1");

        store.commit(List.of(new Row.Removed("order/w1/1")));
        assertThat(store.load().orders()).isEmpty();
    }
}
