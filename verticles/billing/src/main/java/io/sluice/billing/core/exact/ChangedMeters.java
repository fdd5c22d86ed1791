package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Collects which usage meters changed since the last checkpoint. */
final class ChangedMeters {
    private final Set<VmId> vms = new LinkedHashSet<>();
    private final Set<VmId> published = new HashSet<>();

    void at(VmId vm) {
        vms.add(vm);
    }

    /** An end has to be written if the checkpoint contains the usage meter; otherwise it is dropped. */
    void ended(VmId vm) {
        if (published.contains(vm)) {
            vms.add(vm);
        } else {
            vms.remove(vm);
        }
    }

    /** The checkpoint of an earlier process contains the usage meter. */
    void publishedBefore(VmId vm) {
        published.add(vm);
    }

    Map<VmId, Optional<UsageMeterState>> take(Function<VmId, Optional<UsageMeterState>> read) {
        var states = new LinkedHashMap<VmId, Optional<UsageMeterState>>();
        for (var vm : vms) {
            var state = read.apply(vm);
            states.put(vm, state);
            if (state.isPresent()) {
                published.add(vm);
            } else {
                published.remove(vm);
            }
        }
        vms.clear();
        return states;
    }
}
