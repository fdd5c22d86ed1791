package io.sluice.messages.cluster;

import java.util.Objects;
import java.util.Optional;

/**
 * A full list of nodes, pods and VMs was published: each of its observations was published before this event.
 *
 * @param nodes how many nodes it had
 * @param pods how many pods it had that the ledger counts
 * @param vms how many VMs it had
 * @param migrations the migrations in it; empty where there were too many for one message
 */
public record FullListPublished(int nodes, int pods, int vms, Optional<ObservedMigrations> migrations) {
    public FullListPublished {
        Objects.requireNonNull(migrations, "migrations");
    }

    /** An event without the migrations. */
    public FullListPublished(int nodes, int pods, int vms) {
        this(nodes, pods, vms, Optional.empty());
    }
}
