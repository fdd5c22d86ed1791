package io.sluice.lab;

import io.sluice.lab.load.core.GuestTask;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What guests do on request, each until {@link #rest}. Every method may be called from any thread, at any time. */
public final class LabWork {
    private final Map<String, GuestTask> errands = new ConcurrentHashMap<>();

    LabWork() {}

    /** The guest of a VM wants this much CPU on top of its load, in place of what it wanted so before. */
    public void compute(String vm, double vCpus) {
        errands.merge(vm, new GuestTask(vCpus, 0), (old, added) -> new GuestTask(vCpus, old.bytes()));
    }

    /** The guest of a VM allocates this much memory on top, all at once: where it has less, its monitor cries. */
    public void allocate(String vm, long bytes) {
        errands.merge(vm, new GuestTask(0, bytes), (old, added) -> new GuestTask(old.vCpus(), bytes));
    }

    /** The guest of a VM does no more than its load. */
    public void rest(String vm) {
        errands.remove(vm);
    }

    GuestTask of(String vm) {
        return errands.getOrDefault(vm, GuestTask.NONE);
    }
}
