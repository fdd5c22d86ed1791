package io.sluice.lab;

import io.sluice.lab.load.core.GuestTask;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Work of guests on request, each until {@link #rest}. Every method may be called from any thread, at any time. */
public final class LabWork {
    private final Map<String, GuestTask> tasks = new ConcurrentHashMap<>();

    LabWork() {}

    /** The guest of a VM uses this much CPU in addition to its load. It replaces the amount of an earlier call. */
    public void compute(String vm, double vCpus) {
        tasks.merge(vm, new GuestTask(vCpus, 0), (old, added) -> new GuestTask(vCpus, old.bytes()));
    }

    /**
     * The guest of a VM allocates this much additional memory at once. If it has less, its monitor sends an upscale
     * request.
     */
    public void allocate(String vm, long bytes) {
        tasks.merge(vm, new GuestTask(0, bytes), (old, added) -> new GuestTask(old.vCpus(), bytes));
    }

    /** The guest of a VM does no more than its load. */
    public void rest(String vm) {
        tasks.remove(vm);
    }

    GuestTask of(String vm) {
        return tasks.getOrDefault(vm, GuestTask.NONE);
    }
}
