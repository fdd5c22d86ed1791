package io.sluice.messages.cluster;

import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * A node exists.
 *
 * @param node its name
 * @param version grows with each change of the node object; an older observation is dropped
 * @param allocatable what the node can give to pods, before the configured system reserve is taken off
 * @param closed why no new pod may be placed there, in words that follow "is": {@code cordoned}; empty where it may
 * @param taints the taints that keep away pods without a toleration, each as {@code key=value:effect}; sorted
 * @param ready whether its condition Ready is neither False nor Unknown
 * @param fixed what the node can give to pods of the other kinds; of a kind that it does not name it has nothing
 * @param devices its GPUs, and who allocates them
 */
public record NodeObserved(
        String node,
        long version,
        Resources allocatable,
        String closed,
        List<String> taints,
        boolean ready,
        FixedAmounts fixed,
        NodeDevices devices) {
    public NodeObserved {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(allocatable, "allocatable");
        Objects.requireNonNull(closed, "closed");
        taints = List.copyOf(taints);
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(devices, "devices");
    }

    /** The same node with other zones, which have a version of their own. */
    public NodeObserved with(NodeZones zones) {
        return new NodeObserved(node, version, allocatable, closed, taints, ready, fixed, devices.with(zones));
    }

    /** Whether it differs from another observation of the same version by newer zones. */
    public boolean hasNewerZonesThan(NodeObserved other) {
        return version == other.version
                && devices.zones().version() > other.devices.zones().version();
    }

    /** A node of which no GPU is known. */
    public NodeObserved(
            String node,
            long version,
            Resources allocatable,
            String closed,
            List<String> taints,
            boolean ready,
            FixedAmounts fixed) {
        this(node, version, allocatable, closed, taints, ready, fixed, NodeDevices.NONE);
    }

    /** A node that gives CPU and memory alone. */
    public NodeObserved(
            String node, long version, Resources allocatable, String closed, List<String> taints, boolean ready) {
        this(node, version, allocatable, closed, taints, ready, FixedAmounts.NONE);
    }

    /** A node that is ready, open and without taints. */
    public NodeObserved(String node, long version, Resources allocatable) {
        this(node, version, allocatable, "", List.of(), true);
    }
}
