package io.sluice.neonvm.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which processes say that they do not see the whole cluster. Each says it again and again. */
public final class PeersWithoutView {
    /** For so long it holds once it was said. */
    static final Duration SAID_HOLDS = Duration.ofSeconds(5);

    private final Map<String, Instant> said = new HashMap<>();

    /** One says so. */
    public void said(String id, Instant now) {
        said.put(id, now);
    }

    /** It sees again. */
    public void sees(String id) {
        said.remove(id);
    }

    /** Those of some processes who may lead: whoever sees the cluster, or all if nobody does. */
    public List<String> mayLead(Collection<String> ids, Instant now) {
        said.keySet().retainAll(ids);
        said.values().removeIf(at -> !now.isBefore(at.plus(SAID_HOLDS)));
        var seeing = ids.stream().filter(id -> !said.containsKey(id)).toList();
        return seeing.isEmpty() ? List.copyOf(ids) : seeing;
    }
}
