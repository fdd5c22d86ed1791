package io.sluice.agent;

import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The hosts of an agent by the ids of their VMs, and by {@code namespace/name}. All on one context. */
final class RunnerHosts {
    private final Map<VmId, RunnerHost> byId = new HashMap<>();
    private final NavigableMap<String, VmId> byLabel = new TreeMap<>();

    int size() {
        return byId.size();
    }

    Optional<RunnerHost> find(VmId vm) {
        return Optional.ofNullable(byId.get(vm));
    }

    RunnerHost findOrMake(VmId vm, Function<VmId, RunnerHost> maker) {
        var host = byId.computeIfAbsent(vm, maker);
        byLabel.put(vm.label(), vm);
        return host;
    }

    /** Of two VMs that had the same name one after the other, the newer one keeps it. */
    Optional<RunnerHost> remove(VmId vm) {
        byLabel.remove(vm.label(), vm);
        return Optional.ofNullable(byId.remove(vm));
    }

    void clear() {
        byId.clear();
        byLabel.clear();
    }

    Collection<RunnerHost> all() {
        return byId.values();
    }

    /** Sorted. */
    List<String> labels() {
        return new ArrayList<>(byLabel.keySet());
    }

    Optional<RunnerHost> named(String label) {
        return Optional.ofNullable(byLabel.get(label)).map(byId::get);
    }
}
