package io.sluice.lab;

import io.sluice.lab.load.core.Errand;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What guests do on request, each until {@link #rest}. Every method may be called from any thread, at any time. */
public final class LabErrands {
    private final Map<String, Errand> errands = new ConcurrentHashMap<>();

    LabErrands() {}

    /** The guest of a VM wants this much CPU on top of its load, in place of what it wanted so before. */
    public void compute(String vm, double vCpus) {
        errands.merge(vm, new Errand(vCpus, 0), (old, added) -> new Errand(vCpus, old.bytes()));
    }

    /** The guest of a VM allocates this much memory on top, all at once: where it has less, its monitor cries. */
    public void allocate(String vm, long bytes) {
        errands.merge(vm, new Errand(0, bytes), (old, added) -> new Errand(old.vCpus(), bytes));
    }

    /** The guest of a VM does no more than its load. */
    public void rest(String vm) {
        errands.remove(vm);
    }

    Errand of(String vm) {
        return errands.getOrDefault(vm, Errand.NONE);
    }
}
