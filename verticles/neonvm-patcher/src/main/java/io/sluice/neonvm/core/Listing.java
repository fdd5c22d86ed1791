package io.sluice.neonvm.core;

import io.sluice.messages.cluster.Listed;
import io.sluice.messages.cluster.ListedMigrations;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything there was, kind by kind in the order of the fields: a VM listed after its pod is never older than it.
 *
 * @param nodes all nodes
 * @param pods all pods that take room
 * @param vms all VMs, not joined with their pods yet
 * @param migrations all migrations; empty where the cluster does not know that kind of object
 */
public record Listing(
        Part<NodeSeen> nodes, Part<PodSeen> pods, Part<VmSeen> vms, Optional<Part<MigrationSeen>> migrations) {
    /** All migrations: none where the cluster does not know them, also of those that were there before. */
    public Part<MigrationSeen> allMigrations() {
        return migrations.orElseGet(() -> new Part<>(vms.version(), List.of()));
    }

    /** What is told of it: how much there was, and which migrations, unless those are too many for that. */
    public Listed told() {
        var all = allMigrations();
        var held = Optional.of(all.items())
                .filter(items -> items.size() <= ListedMigrations.MOST)
                .map(items -> new ListedMigrations(
                        all.version(), items.stream().map(MigrationSeen::uid).collect(Collectors.toUnmodifiableSet())));
        return new Listed(nodes.items().size(), pods.items().size(), vms.items().size(), held);
    }

    /**
     * All objects of one kind at one instant.
     *
     * @param version of the list itself
     * @param items what it held
     */
    public record Part<T>(long version, List<T> items) {
        public Part {
            items = List.copyOf(items);
        }
    }
}
