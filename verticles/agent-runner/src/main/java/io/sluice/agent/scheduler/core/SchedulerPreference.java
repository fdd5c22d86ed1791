package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which schedulers are tried: the directory's order, but those that failed a moment ago come last, each
 * time for twice as long until they respond. An address that the directory does not list any more is dropped.
 */
public final class SchedulerPreference {
    static final Duration SHUNNED_FOR = Duration.ofSeconds(5);
    static final Duration SHUNNED_MAX = Duration.ofSeconds(40);

    private final Map<SchedulerAddress, Shun> shuns = new HashMap<>();

    private record Shun(Duration length, Instant until) {
        static Shun from(Instant now, Duration length) {
            return new Shun(length, now.plus(length));
        }

        boolean lasts(Instant now) {
            return now.isBefore(until);
        }

        Duration longer() {
            var twice = length.multipliedBy(2);
            return twice.compareTo(SHUNNED_MAX) > 0 ? SHUNNED_MAX : twice;
        }
    }

    /** The same addresses in the order in which to try them. */
    public List<SchedulerAddress> order(List<SchedulerAddress> known, Instant now) {
        shuns.keySet().retainAll(Set.copyOf(known));
        if (shuns.values().stream().noneMatch(shun -> shun.lasts(now))) {
            return known;
        }
        var ordered = new ArrayList<>(known);
        ordered.removeIf(address -> isShunned(address, now));
        known.stream().filter(address -> isShunned(address, now)).forEach(ordered::add);
        return ordered;
    }

    private boolean isShunned(SchedulerAddress address, Instant now) {
        var shun = shuns.get(address);
        return shun != null && shun.lasts(now);
    }

    /**
     * It did not respond, or reported that it cannot serve. Of many concurrent failures only the first makes the time
     * longer.
     */
    public void failed(SchedulerAddress address, Instant now) {
        shuns.compute(address, (same, shun) -> {
            if (shun == null) {
                return Shun.from(now, SHUNNED_FOR);
            }
            return shun.lasts(now) ? shun : Shun.from(now, shun.longer());
        });
    }

    /** It responded. */
    public void answered(SchedulerAddress address) {
        shuns.remove(address);
    }
}
