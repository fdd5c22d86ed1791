package io.sluice.workers;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.WorkerState;
import java.util.Locale;

/** The metrics of workers and instances. */
final class WorkersMetrics {
    private WorkersMetrics() {}

    static void measure(MeterRegistry meters, FleetRuntime runtime) {
        Gauge.builder("sluice.workers.sessions", runtime, it -> it.sessions().size())
                .register(meters);
        Gauge.builder(
                        "sluice.workers.draining",
                        runtime,
                        it -> it.fleet().workers().stream()
                                .filter(worker -> worker.drain().on())
                                .count())
                .register(meters);
        Gauge.builder("sluice.workers.store.failing", runtime, it -> it.storeDown() ? 1 : 0)
                .register(meters);
        for (var state : WorkerState.values()) {
            Gauge.builder(
                            "sluice.workers.known",
                            runtime,
                            it -> it.fleet().workers().stream()
                                    .filter(worker -> worker.state() == state)
                                    .count())
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        for (var state : InstanceState.values()) {
            Gauge.builder(
                            "sluice.workers.instances",
                            runtime,
                            it -> it.fleet().instances().stream()
                                    .filter(instance -> instance.state() == state)
                                    .count())
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }
}
