package io.sluice.neonvm.core.observed;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The processes that report that they do not see the whole Kubernetes cluster. Each repeats its report. */
public final class PeersWithoutView {
    /** How long a report is valid. */
    static final Duration REPORT_HOLDS = Duration.ofSeconds(5);

    private final Map<String, Instant> reported = new HashMap<>();

    /** Takes a report of a process. */
    public void reported(String id, Instant now) {
        reported.put(id, now);
    }

    /** Takes that the process sees the whole Kubernetes cluster again. */
    public void views(String id) {
        reported.remove(id);
    }

    /** The processes that may lead: those that see the Kubernetes cluster, or all if none does. */
    public List<String> mayLead(Collection<String> ids, Instant now) {
        reported.keySet().retainAll(ids);
        reported.values().removeIf(at -> !now.isBefore(at.plus(REPORT_HOLDS)));
        var seeing = ids.stream().filter(id -> !reported.containsKey(id)).toList();
        return seeing.isEmpty() ? List.copyOf(ids) : seeing;
    }
}
