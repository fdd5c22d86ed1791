package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A fleet with virtual time, whose rows are kept as a store would keep them. */
final class FleetRig {
    static final long GIB = 1L << 30;
    static final FleetTiming TIMING = new FleetTiming(
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(300),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30));

    final Map<String, Row> rows = new LinkedHashMap<>();
    final List<FleetAction> actions = new ArrayList<>();
    Instant now = Instant.parse("2026-11-26T00:00:00Z");
    WorkerFleet fleet = new WorkerFleet(TIMING, 100, 1_000);
    private long sessions;

    /** Ends the step: its rows are kept, its actions are returned. */
    List<FleetAction> step() {
        var step = fleet.step();
        step.rows().forEach(row -> {
            if (row instanceof Row.Removed) {
                rows.remove(row.key());
            } else {
                rows.put(row.key(), row);
            }
        });
        actions.addAll(step.actions());
        return step.actions();
    }

    /** The process ends, and another one starts with what was kept. */
    void restart() {
        fleet.step();
        var workers = new ArrayList<Worker>();
        var instances = new ArrayList<Instance>();
        var orders = new ArrayList<Order>();
        var tokens = new ArrayList<JoinToken>();
        for (var row : rows.values()) {
            switch (row) {
                case Row.OfWorker(var worker) ->
                    workers.add(worker.withSession(0).frame(now));
                case Row.OfInstance(var instance) -> instances.add(instance);
                case Row.OfReplaced(var instance) -> instances.add(instance);
                case Row.OfOrder(var order) -> orders.add(order);
                case Row.OfToken(var token) -> tokens.add(token);
                case Row.Removed _ -> throw new IllegalStateException();
            }
        }
        fleet = new WorkerFleet(TIMING, 100, 1_000);
        fleet.restore(workers, instances, orders, now);
        fleet.restoreTokens(tokens);
        actions.clear();
    }

    long open(String worker, InstanceReport... inventory) {
        return open(worker, 1, 0, List.of(inventory));
    }

    long open(String worker, long boot, long lastSeq, List<InstanceReport> inventory) {
        long session = ++sessions;
        fleet.opened(hello(worker, "", boot, lastSeq, inventory), session, now);
        step();
        return session;
    }

    static WorkerHello hello(String worker, String key, long boot, long lastSeq, List<InstanceReport> inventory) {
        return new WorkerHello(
                worker,
                key,
                boot,
                new Resources(3_800, 7 * GIB),
                Map.of(),
                Set.of("Process"),
                true,
                inventory,
                lastSeq);
    }

    static InstanceSpec spec(String id, boolean exclusive, InstanceSpec.Restart restart) {
        return new InstanceSpec(
                "work",
                id,
                "{\"kind\":\"Process\"}",
                "Process",
                new Resources(1_000, GIB),
                exclusive,
                restart,
                Map.of(),
                InstanceSpec.Gang.NONE);
    }

    static InstanceSpec member(String id, String gang, int least) {
        return new InstanceSpec(
                "work",
                id,
                "{\"kind\":\"Process\"}",
                "Process",
                new Resources(3_000, GIB),
                false,
                InstanceSpec.Restart.ON_FAILURE,
                Map.of(),
                new InstanceSpec.Gang(gang, least));
    }

    static InstanceSpec spec(String id) {
        return spec(id, false, InstanceSpec.Restart.ON_FAILURE);
    }

    Instance instance(String id) {
        return fleet.instance(id).orElseThrow();
    }

    /** Submits an instance and assigns it, as placement does once it holds room. */
    Instance submitTo(String worker, InstanceSpec spec) {
        fleet.submit(spec, now);
        step();
        return bindTo(worker, spec.id());
    }

    Instance bindTo(String worker, String id) {
        fleet.place(10, now);
        step();
        var waits = instance(id);
        var refused = fleet.bind(waits.uid(), waits.numbers().version(), WorkerNames.node(worker), now);
        if (refused.isPresent()) {
            throw new AssertionError(refused.get());
        }
        step();
        return instance(id);
    }

    /** Submits an instance that runs on that worker. */
    Instance runOn(String worker, long session, InstanceSpec spec) {
        submitTo(worker, spec);
        report(worker, session, spec.id(), Observed.RUNNING);
        acknowledgeAll(worker, session);
        return instance(spec.id());
    }

    void acknowledgeAll(String worker, long session) {
        orders(worker).forEach(order -> fleet.acknowledged(worker, session, order.seq(), true, "", now));
        step();
    }

    /** The open orders of a worker, as they are kept. */
    List<Order> orders(String worker) {
        return rows.values().stream()
                .filter(row ->
                        row instanceof Row.OfOrder(var order) && order.worker().equals(worker))
                .map(row -> ((Row.OfOrder) row).order())
                .toList();
    }

    /** The orders sent since the actions were last cleared. */
    List<Order> sent() {
        return actions.stream()
                .filter(FleetAction.Send.class::isInstance)
                .map(action -> ((FleetAction.Send) action).order())
                .toList();
    }

    void report(String worker, long session, String id, Observed state) {
        var instance = instance(id);
        fleet.reported(
                worker, session, new InstanceReport(id, instance.numbers().generation(), state, "", 0), now);
        step();
    }

    /** Time passes, second by second, and these workers send a frame in each. */
    void pass(Duration time, Map<String, Long> alive) {
        for (long second = 0; second < time.toSeconds(); second++) {
            now = now.plusSeconds(1);
            alive.forEach((worker, session) -> fleet.frame(worker, session, now));
            fleet.passed(now);
            step();
        }
    }

    /** What the worker reports of an instance that it runs. */
    InstanceReport running(String id) {
        return new InstanceReport(id, instance(id).numbers().generation(), Observed.RUNNING, "", 0);
    }
}
