package io.sluice.simulation.model;

import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeDevices;
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

    final String name;
    long version;
    Resources allocatable;
    boolean there = true;
    boolean ready = true;

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
                        .toList());
    }
}
