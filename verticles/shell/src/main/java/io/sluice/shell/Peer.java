package io.sluice.shell;

import java.util.Objects;
import java.util.Set;

/**
 * A process of the cluster, this one or another.
 *
 * @param id names it on the bus as long as it lives: {@link io.sluice.bus.RequestAddress#at} reaches it alone
 * @param roles what it runs, by the names that config uses
 * @param endpoint host and port where other members reach it; empty for a process that is alone
 */
public record Peer(String id, Set<String> roles, String endpoint) {
    public Peer {
        Objects.requireNonNull(id, "id");
        roles = Set.copyOf(roles);
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
