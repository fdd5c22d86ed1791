package io.sluice.messages.cluster;

import java.util.Objects;
import java.util.Optional;

/**
 * A full listing of nodes, pods and VMs is through, and every fact in it was published before this one.
 *
 * @param nodes how many nodes it held
 * @param pods how many pods that count
 * @param vms how many VMs
 * @param migrations which migrations it held; empty where there were too many to say
 */
public record FullListPublished(int nodes, int pods, int vms, Optional<ObservedMigrations> migrations) {
    public FullListPublished {
        Objects.requireNonNull(migrations, "migrations");
    }

    /** One that does not say which migrations it held. */
    public FullListPublished(int nodes, int pods, int vms) {
        this(nodes, pods, vms, Optional.empty());
    }
}
