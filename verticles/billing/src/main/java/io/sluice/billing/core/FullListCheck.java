package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Which full listing tells how things stand, after changes may have been missed: one that was under way by then may be
 * told in half, so one counts in which as many VMs were named as it held, or that follows another.
 */
public final class FullListCheck {
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    private final Set<VmId> named = new HashSet<>();
    private boolean awaited = true;
    private boolean followsAnother;
    private Instant askAt = Instant.MIN;

    /** Changes may have been missed; at the beginning they were. */
    public void missed() {
        named.clear();
        awaited = true;
        followsAnother = false;
        askAt = Instant.MIN;
    }

    /** A VM was told of. */
    public void named(VmId vm) {
        if (awaited) {
            named.add(vm);
        }
    }

    /** A VM is gone: no listing to come holds it. */
    public void struck(VmId vm) {
        named.remove(vm);
    }

    /**
     * A listing is through. Answers whether it is one to go by.
     *
     * @param vms how many it held
     */
    public boolean heard(int vms) {
        boolean counts = !awaited || followsAnother || named.size() >= vms;
        awaited = !counts;
        followsAnother = !counts;
        askAt = Instant.MIN;
        named.clear();
        return counts;
    }

    /** Whether somebody is to be asked for one now; who is told so asks. */
    public boolean asks(Instant now) {
        boolean due = awaited && !now.isBefore(askAt);
        if (due) {
            askAt = now.plus(ASK_EVERY);
        }
        return due;
    }
}
