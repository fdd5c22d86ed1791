package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whom to ask first: in the directory's order, but those that did not answer a moment ago come last. It remembers
 * nothing of an address that the directory does not name any more.
 */
public final class Preference {
    static final Duration SHUNNED_FOR = Duration.ofSeconds(5);

    private final Map<SchedulerAddress, Instant> shunnedUntil = new HashMap<>();

    /** The same addresses in the order in which to try them. */
    public List<SchedulerAddress> order(List<SchedulerAddress> known, Instant now) {
        shunnedUntil.keySet().retainAll(Set.copyOf(known));
        shunnedUntil.values().removeIf(until -> !now.isBefore(until));
        if (shunnedUntil.isEmpty()) {
            return known;
        }
        var ordered = new ArrayList<>(known);
        ordered.removeIf(shunnedUntil::containsKey);
        known.stream().filter(shunnedUntil::containsKey).forEach(ordered::add);
        return ordered;
    }

    /** It did not answer. */
    public void failed(SchedulerAddress address, Instant now) {
        shunnedUntil.put(address, now.plus(SHUNNED_FOR));
    }

    /** It answered, whatever it said. */
    public void answered(SchedulerAddress address) {
        if (!shunnedUntil.isEmpty()) {
            shunnedUntil.remove(address);
        }
    }
}
