package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Remembers where usage meters ended lately, so that no instant of a VM is billed twice. It also remembers which VMs
 * are gone, so that a late observation does not revive one.
 */
final class EndedMeters {
    private static final int KEPT_MOST = 20_000;

    private final LinkedHashMap<VmId, Instant> ended = new LinkedHashMap<>();
    private final LinkedHashMap<VmId, Instant> endedSince = new LinkedHashMap<>();
    private final LinkedHashMap<VmId, Long> gone = new LinkedHashMap<>();

    void ended(VmId vm, Instant at) {
        ended.putLast(vm, at);
        endedSince.remove(vm);
        if (ended.size() > KEPT_MOST) {
            ended.pollFirstEntry();
        }
    }

    Optional<Instant> of(VmId vm) {
        return Optional.ofNullable(ended.get(vm));
    }

    /** The use of a VM ended before its usage meter, because the change arrived late. */
    void endedLate(VmId vm, Instant since) {
        endedSince.putLast(vm, since);
        if (endedSince.size() > KEPT_MOST) {
            endedSince.pollFirstEntry();
        }
    }

    /** When the use of a VM ended whose usage meter ended lately. */
    Optional<Instant> since(VmId vm) {
        return Optional.ofNullable(endedSince.get(vm)).or(() -> of(vm));
    }

    /** @param version version of the VM's last observation */
    void gone(VmId vm, long version) {
        gone.putLast(vm, version);
        if (gone.size() > KEPT_MOST) {
            gone.pollFirstEntry();
        }
    }

    /** Whether an observation is older than the VM's end. */
    boolean isLate(VmUse observation) {
        return Optional.ofNullable(gone.get(observation.vm()))
                .filter(last -> observation.version() <= last)
                .isPresent();
    }
}
