package io.sluice.workers.core;

import io.sluice.units.WorkerNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which workers may be given an instance, by all that the ledger does not know. */
final class CandidateRules {
    /** So that an attempt costs the same with any number of workers. */
    private static final int CANDIDATES_MAX = 100;

    private final WorkerTables state;
    private final Map<String, Map<String, Instant>> excluded = new HashMap<>();
    private int from;

    /** Why a worker may not be given an instance. */
    private enum Obstacle {
        NOT_READY,
        DRAINED,
        /** The instance may not run where it is: on a worker, or on a node of Kubernetes. */
        TARGET,
        RUNTIME,
        SELECTOR,
        EXCLUSIVE,
        /** It has what the instance replaces. */
        REPLACED,
        /** It has refused the instance lately. */
        REFUSED
    }

    CandidateRules(WorkerTables state) {
        this.state = state;
    }

    /** The worker has refused the instance, or has not acknowledged it. */
    void exclude(String instance, String worker, Instant now) {
        excluded.computeIfAbsent(instance, key -> new HashMap<>()).put(worker, now.plus(FleetTiming.EXCLUDED));
    }

    void passed(Instant now) {
        excluded.values().forEach(until -> until.values().removeIf(end -> !end.isAfter(now)));
        excluded.values().removeIf(Map::isEmpty);
    }

    /** Of many workers, some that seem to have room, others at each call. */
    List<String> of(Instance instance, Instant now) {
        var names = state.workerNames();
        var roomy = new ArrayList<String>();
        var full = new ArrayList<String>();
        for (int i = 0; i < names.size() && roomy.size() < CANDIDATES_MAX; i++) {
            var worker = state.worker(names.get((from + i) % names.size())).orElseThrow();
            if (takes(worker, instance, now)) {
                var some = hasRoom(worker, instance) ? roomy : full;
                if (some.size() < CANDIDATES_MAX) {
                    some.add(worker.id());
                }
            }
        }
        from = names.isEmpty() ? 0 : (from + CANDIDATES_MAX) % names.size();
        var chosen = roomy.isEmpty() ? full : roomy;
        return chosen.stream().sorted().toList();
    }

    /** As far as this process knows; the ledger decides. */
    private boolean hasRoom(Worker worker, Instance instance) {
        var capacity = worker.hello().capacity();
        var reserved = instance.granted();
        for (var there : state.instancesOn(worker.id())) {
            reserved = reserved.plus(there.granted());
        }
        return !reserved.exceeds(capacity);
    }

    boolean takes(Worker worker, Instance instance, Instant now) {
        return obstacle(worker, instance, now).isEmpty();
    }

    private Optional<Obstacle> obstacle(Worker worker, Instance instance, Instant now) {
        var spec = instance.spec();
        var hello = worker.hello();
        if (worker.state() != WorkerState.READY || !worker.connected()) {
            return Optional.of(Obstacle.NOT_READY);
        }
        if (worker.drain().on()) {
            return Optional.of(Obstacle.DRAINED);
        }
        if (!allows(spec.on(), WorkerNames.isKubernetes(worker.id()))) {
            return Optional.of(Obstacle.TARGET);
        }
        if (!hello.runtimes().contains(spec.runtime())) {
            return Optional.of(Obstacle.RUNTIME);
        }
        if (!hello.labels().entrySet().containsAll(spec.selector().entrySet())) {
            return Optional.of(Obstacle.SELECTOR);
        }
        if (spec.exclusive() && !hello.fences()) {
            return Optional.of(Obstacle.EXCLUSIVE);
        }
        if (state.replaced(instance.id())
                .filter(old -> old.worker().equals(worker.id()))
                .isPresent()) {
            return Optional.of(Obstacle.REPLACED);
        }
        var until = excluded.getOrDefault(instance.id(), Map.of()).getOrDefault(worker.id(), Instant.MIN);
        return until.isAfter(now) ? Optional.of(Obstacle.REFUSED) : Optional.empty();
    }

    private static boolean allows(InstanceSpec.Target on, boolean kubernetes) {
        return switch (on) {
            case WORKERS -> !kubernetes;
            case ANYWHERE -> true;
            case KUBERNETES -> kubernetes;
        };
    }

    /** The number of workers that are excluded for each reason, in the order of the rules. */
    String obstacles(Instance instance, Instant now) {
        var counts = new TreeMap<Obstacle, Integer>();
        for (var worker : state.workers()) {
            obstacle(worker, instance, now).ifPresent(why -> counts.merge(why, 1, Integer::sum));
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
