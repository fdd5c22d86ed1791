package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Collects which usage meters changed since the last checkpoint. */
final class ChangedMeters {
    /** After this time every process has observed the end of a usage meter. */
    static final Duration ENDS_KEPT = Duration.ofSeconds(30);

    private final Set<VmId> running = new LinkedHashSet<>();
    private final Map<VmId, MeterEntry> ended = new LinkedHashMap<>();
    private final LinkedHashMap<VmId, Instant> toForget = new LinkedHashMap<>();

    void at(VmId vm) {
        running.add(vm);
        ended.remove(vm);
        toForget.remove(vm);
    }

    void ended(VmId vm, long version, Instant at) {
        running.remove(vm);
        ended.put(vm, new MeterEntry.Ended(version, at));
        toForget.putLast(vm, at);
    }

    /** The checkpoint of an earlier process has a VM that it need not have any more. */
    void forget(VmId vm) {
        if (!running.contains(vm) && !toForget.containsKey(vm)) {
            ended.put(vm, new MeterEntry.Forgotten());
        }
    }

    Map<VmId, MeterEntry> take(Instant until, Function<VmId, Optional<UsageMeterState>> read) {
        var entries = new LinkedHashMap<>(ended);
        running.forEach(vm -> read.apply(vm).ifPresent(state -> entries.put(vm, new MeterEntry.Running(state))));
        var oldest = until.minus(ENDS_KEPT);
        for (var first = toForget.firstEntry();
                first != null && first.getValue().isBefore(oldest);
                first = toForget.firstEntry()) {
            toForget.pollFirstEntry();
            entries.put(first.getKey(), new MeterEntry.Forgotten());
        }
        running.clear();
        ended.clear();
        return entries;
    }
}
