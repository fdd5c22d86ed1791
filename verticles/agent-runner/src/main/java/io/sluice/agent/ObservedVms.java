package io.sluice.agent;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The newest observation of each VM, also of those that other processes scale. All on one context. */
final class ObservedVms {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedVms.class);
    private static final int MOST = 200_000;

    private final Map<VmId, VmObserved> newest = new HashMap<>();
    private boolean full;

    /**
     * Stores an observation. Returns whether no stored one is newer. Beyond the maximum, observations are not stored.
     */
    boolean take(VmObserved vm) {
        var before = newest.get(vm.vm());
        if (before != null && vm.version() < before.version()) {
            return false;
        }
        if (before != null || newest.size() < MOST) {
            newest.put(vm.vm(), vm);
        } else if (!full) {
            full = true;
            LOG.atError()
                    .addKeyValue(LogKeys.COUNT, MOST)
                    .log("More VMs are observed than are stored: the rest are taken over late from agents that end.");
        }
        return true;
    }

    void remove(VmId vm) {
        newest.remove(vm);
    }

    List<VmObserved> all() {
        return List.copyOf(newest.values());
    }

    int size() {
        return newest.size();
    }
}
