package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a worker registers with.
 *
 * @param worker its id, permanent
 * @param key the fingerprint of its key; empty without TLS
 * @param boot what the worker counts its own starts with
 * @param capacity what instances may use in all, after all reserves
 * @param runtimes the kinds of instances that it can run
 * @param resizes whether it can change the size of a running instance
 * @param inventory every instance that it has
 * @param lastSeq the newest order that it has taken
 */
public record WorkerHello(
        String worker,
        String key,
        long boot,
        Resources capacity,
        Map<String, String> labels,
        Set<String> runtimes,
        boolean resizes,
        List<InstanceReport> inventory,
        long lastSeq) {
    /** What the ids of workers begin with that speak RIK's protocol. */
    public static final String RIK = "rik:";

    public WorkerHello {
        labels = Map.copyOf(labels);
        runtimes = Set.copyOf(runtimes);
        inventory = List.copyOf(inventory);
    }

    /** Of a worker that has not registered yet. */
    static WorkerHello of(String worker) {
        return new WorkerHello(worker, "", 0, Resources.NONE, Map.of(), Set.of(), false, List.of(), 0);
    }

    /** With no more than the credential allows. */
    WorkerHello within(Credential credential) {
        var all = new HashMap<>(labels);
        all.putAll(credential.labels());
        var allowed = new HashSet<>(runtimes);
        if (!credential.runtimes().isEmpty()) {
            allowed.retainAll(credential.runtimes());
        }
        return new WorkerHello(worker, key, boot, capacity, all, allowed, resizes, inventory, lastSeq);
    }

    /** Whether it ends exclusive instances by itself when it is cut off. */
    boolean fences() {
        return !worker.startsWith(RIK) && !WorkerNames.isKubernetes(worker);
    }

    /** Whether the other one is of the same start and has the same to offer. */
    boolean isSame(WorkerHello other) {
        return boot == other.boot
                && resizes == other.resizes
                && capacity.equals(other.capacity)
                && labels.equals(other.labels)
                && runtimes.equals(other.runtimes);
    }

    /** What is kept of it. */
    WorkerHello withoutInventory() {
        return with(List.of());
    }

    /** Of a worker that has these instances. */
    public WorkerHello with(List<InstanceReport> instances) {
        return new WorkerHello(worker, key, boot, capacity, labels, runtimes, resizes, instances, lastSeq);
    }
}
