package io.sluice.workers;

import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.NodeUsage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What workers and their instances use, as their heartbeats carry it. Old numbers count as none. */
public final class WorkerUse {
    private static final Duration FRESH = Duration.ofSeconds(90);
    private static final Duration PUBLISHED_EVERY = Duration.ofSeconds(10);
    private static final int MISMATCHES_MAX = 2;

    private final FleetRuntime runtime;
    private final Map<String, LastHeartbeat> byWorker = new HashMap<>();

    private record LastHeartbeat(NodeUsage usage, Instant at, Instant publishedAt, int mismatches) {}

    WorkerUse(FleetRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Takes a heartbeat.
     *
     * @return whether the worker has had other instances than it is to have, twice in a row
     */
    boolean received(String worker, Heartbeat heartbeat, Instant now) {
        var before = byWorker.get(worker);
        boolean publishes = before == null || !now.isBefore(before.publishedAt().plus(PUBLISHED_EVERY));
        boolean differs = heartbeat.getInstanceSetHash() != 0
                && runtime.fleet()
                        .settledOn(worker)
                        .filter(set -> hash(set) != heartbeat.getInstanceSetHash())
                        .isPresent();
        int mismatches = differs ? (before == null ? 1 : before.mismatches() + 1) : 0;
        boolean drifted = mismatches == MISMATCHES_MAX;
        byWorker.put(
                worker,
                new LastHeartbeat(
                        heartbeat.getUsage(), now, publishes ? now : before.publishedAt(), drifted ? 0 : mismatches));
        if (publishes) {
            heartbeat
                    .getInstancesList()
                    .forEach(use -> runtime.fleet()
                            .instanceOn(worker, use.getInstanceId())
                            .ifPresent(instance -> runtime.observations()
                                    .used(
                                            instance,
                                            Math.max(0, use.getCpuMillis()),
                                            Math.max(0, use.getMemoryUsed()))));
        }
        return drifted;
    }

    /** What a worker uses in all; empty if it is not known, or was known too long ago. */
    Optional<NodeUsage> of(String worker, Instant now) {
        return Optional.ofNullable(byWorker.get(worker))
                .filter(last -> now.isBefore(last.at().plus(FRESH)))
                .map(LastHeartbeat::usage)
                .filter(usage -> usage.getMemoryTotal() > 0);
    }

    /** Forgets workers that are no more. */
    void prune() {
        byWorker.keySet().removeIf(worker -> runtime.fleet().worker(worker).isEmpty());
    }

    /** Over the live instances of a worker, each as its id, a colon and its generation, in order; never 0. */
    public static long hash(Collection<String> instances) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            instances.stream()
                    .sorted()
                    .forEach(instance -> digest.update((instance + "\n").getBytes(StandardCharsets.UTF_8)));
            return ByteBuffer.wrap(digest.digest()).getLong() | 1;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
