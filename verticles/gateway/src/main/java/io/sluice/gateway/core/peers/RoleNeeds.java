package io.sluice.gateway.core.peers;

import java.util.Map;
import java.util.Set;

/** Which roles a role cannot do without: those that it asks questions of. */
public final class RoleNeeds {
    private static final String LEDGER = "ledger";

    private RoleNeeds() {}

    /**
     * By the names that config uses.
     *
     * @param ledgerOnBus whether agents, and whoever lists the cluster, ask a ledger on this bus
     */
    public static Map<String, Set<String>> of(boolean ledgerOnBus) {
        return Map.of(
                "agent", ledgerOnBus ? Set.of(LEDGER, "monitor", "vm") : Set.of("monitor", "vm"),
                "cluster", ledgerOnBus ? Set.of(LEDGER) : Set.of(),
                "pressure", Set.of(LEDGER, "vm"),
                "billing", Set.of("cluster"),
                "gateway", ledgerOnBus ? Set.of(LEDGER) : Set.of());
    }
}
