package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Decides which full list counts after changes may have been missed. Of a list that was already being published, only a
 * part may be received. So a list counts if as many NeonVMs were received as it has, or if it follows another list.
 */
public final class FullListCheck {
    /** A full list counts the VMs of this driver, and publishes those of others after them. */
    private static final String COUNTED = "neonvm";

    private static final Duration CHECK_EVERY = Duration.ofSeconds(10);

    private final Set<VmId> named = new HashSet<>();
    private boolean awaited = true;
    private boolean followsAnother;
    private Instant checkAt = Instant.MIN;

    /** Changes may have been missed; at the start they were. */
    public void missed() {
        named.clear();
        awaited = true;
        followsAnother = false;
        checkAt = Instant.MIN;
    }

    /** An observation of a VM was received. */
    public void named(VmId vm) {
        if (awaited && vm.driver().equals(COUNTED)) {
            named.add(vm);
        }
    }

    /** A VM is gone: no later full list contains it. */
    public void struck(VmId vm) {
        named.remove(vm);
    }

    /**
     * A full list is complete. Returns whether it counts.
     *
     * @param vms number of VMs in the list
     */
    public boolean received(int vms) {
        boolean counts = !awaited || followsAnother || named.size() >= vms;
        awaited = !counts;
        followsAnother = !counts;
        checkAt = Instant.MIN;
        named.clear();
        return counts;
    }

    /** Whether the caller has to request a full list now. True at most once in 10 s. */
    public boolean requests(Instant now) {
        boolean due = awaited && !now.isBefore(checkAt);
        if (due) {
            checkAt = now.plus(CHECK_EVERY);
        }
        return due;
    }
}
