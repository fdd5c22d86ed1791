package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which meters are not as they were when this was asked last. */
final class ChangedMeters {
    private final Set<VmId> vms = new LinkedHashSet<>();
    private final Set<VmId> told = new HashSet<>();

    void at(VmId vm) {
        vms.add(vm);
    }

    /** What was told of it once has to be taken back; what never was, is nobody's business. */
    void ended(VmId vm) {
        if (told.contains(vm)) {
            vms.add(vm);
        } else {
            vms.remove(vm);
        }
    }

    /** It was told of by a process before this one. */
    void toldBefore(VmId vm) {
        told.add(vm);
    }

    Map<VmId, Optional<UsageMeterState>> take(Function<VmId, Optional<UsageMeterState>> read) {
        var states = new LinkedHashMap<VmId, Optional<UsageMeterState>>();
        for (var vm : vms) {
            var state = read.apply(vm);
            states.put(vm, state);
            if (state.isPresent()) {
                told.add(vm);
            } else {
                told.remove(vm);
            }
        }
        vms.clear();
        return states;
    }
}
