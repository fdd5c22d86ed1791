package io.sluice.kills;

import java.util.Optional;

/**
 * What each of some VMs has at each instant, as a function of a seed and the time, so that every process publishes the
 * same. Sizes change at any multiple of a VM's own period. Endpoints change, and VMs begin and end, at whole seconds,
 * because recorded times are whole seconds.
 *
 * @param seed seed of all random choices
 * @param start start of the history, in nanoseconds since 1970; a whole second
 * @param vms number of VMs
 */
record History(long seed, long start, int vms) {
    static final long SECOND = 1_000_000_000L;

    private static final long[] BEATS_MS = {200, 300, 500, 1_000, 2_000, 5_000, 20_000, 3_600_000};
    private static final long ERA_LEAST_S = 3;
    private static final long ERA_SPREAD_S = 15;
    private static final long ENDPOINTS = 6;
    private static final long UNIT = 250;
    private static final long UNITS_MOST = 16;
    private static final int ABSENT = 0;
    private static final int UNBILLED = 1;
    private static final int FATES = 7;

    /** A size that is billed to an endpoint. */
    record Use(String endpoint, long milliCpu) {}

    /**
     * The state of a VM from an instant on.
     *
     * @param uid its present uid; empty while it does not exist
     * @param version number of its changes
     * @param use what is billed; empty while it is not billed
     * @param since start of the state
     */
    record State(String uid, long version, Optional<Use> use, long since) {}

    State at(int vm, long instant) {
        long era = (instant - start) / eraLength(vm);
        long slot = (instant - start) / slotLength(vm);
        int fate = fate(vm, era);
        long since = Math.max(start + era * eraLength(vm), start + slot * slotLength(vm));
        var uid = fate == ABSENT ? "" : "u-" + vm + "-" + absences(vm, era);
        var use = fate == ABSENT || fate == UNBILLED
                ? Optional.<Use>empty()
                : Optional.of(
                        new Use("ep-" + dice(vm, era, 3) % ENDPOINTS, UNIT * (1 + dice(vm, slot, 4) % UNITS_MOST)));
        return new State(uid, era + slot + 1, use, since);
    }

    /** Returns when the VM changes next. */
    long next(int vm, long instant) {
        long era = (instant - start) / eraLength(vm) + 1;
        long slot = (instant - start) / slotLength(vm) + 1;
        return Math.min(start + era * eraLength(vm), start + slot * slotLength(vm));
    }

    /** Returns the VM with that uid. */
    static int vmOf(String uid) {
        return Integer.parseInt(uid.substring(2, uid.indexOf('-', 2)));
    }

    private long absences(int vm, long era) {
        long absences = 0;
        for (long before = 0; before < era; before++) {
            absences += fate(vm, before) == ABSENT ? 1 : 0;
        }
        return absences;
    }

    /** All VMs are billed at first. */
    private int fate(int vm, long era) {
        return era == 0 ? FATES : (int) (dice(vm, era, 2) % FATES);
    }

    private long eraLength(int vm) {
        return (ERA_LEAST_S + dice(vm, 0, 1) % ERA_SPREAD_S) * SECOND;
    }

    private static long slotLength(int vm) {
        return BEATS_MS[vm % BEATS_MS.length] * (SECOND / 1_000);
    }

    /** Mixes all inputs by the finalizer of SplitMix64; never negative. */
    private long dice(long vm, long number, long purpose) {
        long mixed = seed + 0x9e3779b97f4a7c15L * (vm + 1) + 0xd1b54a32d192ed03L * (number + 1) + purpose;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return (mixed ^ (mixed >>> 31)) >>> 1;
    }
}
