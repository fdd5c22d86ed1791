package io.sluice.simulation.model;

import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A node as the API server stores it. */
public final class NodeObject {
    /** The kind of which pods that are placed may request one. */
    public static final String DEVICE = "example.com/device";

    private static final FixedAmounts FIXED = FixedAmounts.of(Map.of(FixedAmounts.PODS, 40L, DEVICE, 1L));

    /** The memory of each of its GPUs, in MiB. */
    public static final long GPU_MIB = 1_000;

    private static final int GPUS = 2;

    /** The resource of which nodes with NUMA zones have so much in each. */
    public static final String ZONED = "cpu";

    /** The zones of such a node. */
    public static final int ZONES = 2;

    /** The CPU of each zone. */
    public static final long ZONE_MILLI_CPU = 4_000;

    final String name;
    long version;
    Resources allocatable;
    boolean there = true;
    boolean ready = true;
    private NodeZones zones = NodeZones.NONE;

    NodeObject(String name, Resources allocatable) {
        this.name = name;
        this.allocatable = allocatable;
    }

    NodeObserved observation() {
        return new NodeObserved(name, version, allocatable, ready ? "" : "not ready", List.of(), ready, FIXED, gpus());
    }

    private NodeDevices gpus() {
        return new NodeDevices(
                GpuMode.SHARED,
                IntStream.range(0, GPUS)
                        .mapToObj(minor -> new Device(name + "-gpu-" + minor, minor, "T4", GPU_MIB))
                        .toList(),
                zones);
    }

    /** Whether it has NUMA zones: each other node does. */
    boolean hasZones() {
        return name.hashCode() % 2 == 0;
    }

    /**
     * Its kubelet reports its zones.
     *
     * @param pods those on it, each namespace and name
     */
    void reports(long report, List<Map.Entry<String, String>> pods, List<Zone> reported) {
        zones = new NodeZones(
                NodeZones.Policy.SINGLE_ZONE, false, NodeZones.ZONES_MAX, report, PodFingerprint.of(pods), reported);
    }
}
