package io.sluice.shell;

import java.util.Objects;
import java.util.Set;

/**
 * A process of the Hazelcast cluster, this one or another.
 *
 * @param id its id on the bus while it lives: {@link io.sluice.bus.RequestAddress#at} reaches it alone
 * @param roles its roles, by their names in config
 * @param endpoint host and port for other members; empty for a process that is alone
 */
public record Peer(String id, Set<String> roles, String endpoint) {
    public Peer {
        Objects.requireNonNull(id, "id");
        roles = Set.copyOf(roles);
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
