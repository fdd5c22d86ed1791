package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All objects, kind by kind in the order of the fields: a VM that is listed after its pod is never older than it.
 *
 * @param nodes all nodes
 * @param pods all pods that take room
 * @param pending all pods that wait for a node
 * @param vms all VMs, not joined with their pods yet
 * @param migrations all migrations; empty if the Kubernetes cluster does not have that kind of object
 */
public record FullList(
        Part<NodeObserved> nodes,
        Part<PodObserved> pods,
        Part<PodObserved> pending,
        Part<VmObserved> vms,
        Optional<Part<MigrationObserved>> migrations) {
    /** The version of a list of VMs where the Kubernetes cluster does not have that kind of object. */
    public static final long NO_SUCH_KIND = 0;

    /**
     * The list with its pods divided.
     *
     * @param allPods those that take room and those that wait for a node
     */
    public static FullList of(
            Part<NodeObserved> nodes,
            Part<PodObserved> allPods,
            Part<VmObserved> vms,
            Optional<Part<MigrationObserved>> migrations) {
        var pods = allPods.items().stream().collect(Collectors.partitioningBy(PodObserved::isPending));
        return new FullList(
                nodes,
                new Part<>(allPods.version(), pods.get(false)),
                new Part<>(allPods.version(), pods.get(true)),
                vms,
                migrations);
    }

    /** All migrations; none if the Kubernetes cluster does not have the kind, so that earlier ones count as gone. */
    public Part<MigrationObserved> allMigrations() {
        return migrations.orElseGet(() -> new Part<>(vms.version(), List.of()));
    }

    /** The published summary: the counts, and the migrations unless there are too many. */
    public FullListPublished published() {
        var all = allMigrations();
        var held = Optional.of(all.items())
                .filter(items -> items.size() <= ObservedMigrations.MOST)
                .map(items -> new ObservedMigrations(
                        all.version(),
                        items.stream().map(MigrationObserved::uid).collect(Collectors.toUnmodifiableSet())));
        return new FullListPublished(
                nodes.items().size(), pods.items().size(), vms.items().size(), held);
    }

    /**
     * All objects of one kind at one instant.
     *
     * @param version of the list itself
     * @param items the objects
     */
    public record Part<T>(long version, List<T> items) {
        public Part {
            items = List.copyOf(items);
        }
    }
}
