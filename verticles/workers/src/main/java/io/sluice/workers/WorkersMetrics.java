package io.sluice.workers;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.WorkerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The metrics of workers and instances. Scrapes read what was counted last, on any thread. */
final class WorkersMetrics {
    private static final String STATE = "state";

    private final MeterRegistry meters;
    private final FleetRuntime runtime;
    private final AtomicIntegerArray workers = new AtomicIntegerArray(WorkerState.values().length);
    private final AtomicIntegerArray instances = new AtomicIntegerArray(InstanceState.values().length);
    private final AtomicInteger draining = new AtomicInteger();
    private final List<Meter> registered = new ArrayList<>();

    WorkersMetrics(MeterRegistry meters, FleetRuntime runtime) {
        this.meters = meters;
        this.runtime = runtime;
        register(Gauge.builder(
                "sluice.workers.sessions", runtime, it -> it.sessions().size()));
        register(Gauge.builder("sluice.workers.draining", draining, AtomicInteger::get));
        register(Gauge.builder("sluice.workers.store.failing", runtime, it -> it.storeDown() ? 1 : 0));
        for (var state : WorkerState.values()) {
            register(Gauge.builder("sluice.workers.known", workers, counts -> counts.get(state.ordinal()))
                    .tag(STATE, state.name().toLowerCase(Locale.ROOT)));
        }
        for (var state : InstanceState.values()) {
            register(Gauge.builder("sluice.workers.instances", instances, counts -> counts.get(state.ordinal()))
                    .tag(STATE, state.name().toLowerCase(Locale.ROOT)));
        }
    }

    private void register(Gauge.Builder<?> gauge) {
        registered.add(gauge.register(meters));
    }

    /** Counts anew; on the fleet's context. */
    void count() {
        var known = new int[workers.length()];
        int leaving = 0;
        for (var worker : runtime.fleet().workers()) {
            known[worker.state().ordinal()]++;
            leaving += worker.drain().on() ? 1 : 0;
        }
        draining.set(leaving);
        var wanted = new int[instances.length()];
        runtime.fleet().instances().forEach(instance -> wanted[instance.state().ordinal()]++);
        publish(known, workers);
        publish(wanted, instances);
    }

    private static void publish(int[] counted, AtomicIntegerArray counts) {
        for (int i = 0; i < counted.length; i++) {
            counts.set(i, counted[i]);
        }
    }

    /** A later fleet of this process has metrics of the same names. */
    void remove() {
        registered.forEach(meters::remove);
    }
}
