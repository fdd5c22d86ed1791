package io.sluice.gateway.core.peers;

import java.util.Map;
import java.util.Set;

/** Which roles a role needs: those to which it sends requests. */
public final class RoleNeeds {
    private static final String LEDGER = "ledger";

    private RoleNeeds() {}

    /**
     * Returns the needs by the role names of the config.
     *
     * @param ledgerOnBus whether the roles agent and cluster send requests to a ledger on this bus
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
