package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Where meters ended lately, so that no instant of a VM is billed twice; and which VMs are gone for good, as somebody
 * who has not heard of it yet may still tell of one.
 */
final class EndedMeters {
    private static final int KEPT_MOST = 20_000;

    private final LinkedHashMap<VmId, Instant> ended = new LinkedHashMap<>();
    private final LinkedHashMap<VmId, Long> gone = new LinkedHashMap<>();

    void ended(VmId vm, Instant at) {
        ended.putLast(vm, at);
        if (ended.size() > KEPT_MOST) {
            ended.pollFirstEntry();
        }
    }

    Optional<Instant> of(VmId vm) {
        return Optional.ofNullable(ended.get(vm));
    }

    /** @param version of the last fact about it */
    void gone(VmId vm, long version) {
        gone.putLast(vm, version);
        if (gone.size() > KEPT_MOST) {
            gone.pollFirstEntry();
        }
    }

    /** Whether a fact is older than the VM's end. */
    boolean isLate(VmUse fact) {
        return Optional.ofNullable(gone.get(fact.vm()))
                .filter(last -> fact.version() <= last)
                .isPresent();
    }
}
