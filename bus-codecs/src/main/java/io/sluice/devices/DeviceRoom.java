package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** What each GPU of a node has left. It is immutable. */
public final class DeviceRoom {
    /** No device. */
    public static final DeviceRoom NONE = new DeviceRoom(NodeDevices.NONE, new long[0], new int[0]);

    private final NodeDevices node;
    private final long[] usedMiB;
    private final int[] usedCore;

    private DeviceRoom(NodeDevices node, long[] usedMiB, int[] usedCore) {
        this.node = node;
        this.usedMiB = usedMiB;
        this.usedCore = usedCore;
    }

    /** The room that is left of a node's devices where that much is reserved. */
    public static DeviceRoom of(NodeDevices node, FixedAmounts reserved) {
        int count = node.devices().size();
        if (node.equals(NodeDevices.NONE)) {
            return NONE;
        }
        var usedMiB = new long[count];
        var usedCore = new int[count];
        for (int i = 0; i < count; i++) {
            var uuid = node.devices().get(i).uuid();
            usedMiB[i] = reserved.of(Device.memoryOf(uuid));
            usedCore[i] = (int) Math.min(Integer.MAX_VALUE, reserved.of(Device.coreOf(uuid)));
        }
        return new DeviceRoom(node, usedMiB, usedCore);
    }

    /** The same with some more taken. */
    public DeviceRoom taking(List<GpuShare> shares) {
        if (shares.isEmpty()) {
            return this;
        }
        var mib = usedMiB.clone();
        var core = usedCore.clone();
        for (var share : shares) {
            for (int i = 0; i < mib.length; i++) {
                if (device(i).uuid().equals(share.uuid())) {
                    mib[i] += share.memoryMiB();
                    core[i] += share.core();
                }
            }
        }
        return new DeviceRoom(node, mib, core);
    }

    /** The devices of some zones alone, and those of which no zone is known. */
    DeviceRoom within(Set<Integer> zones) {
        var there = IntStream.range(0, usedMiB.length)
                .filter(at -> device(at).zone().map(zones::contains).orElse(true))
                .toArray();
        return new DeviceRoom(
                new NodeDevices(
                        node.mode(), Arrays.stream(there).mapToObj(this::device).toList(), node.zones()),
                Arrays.stream(there).mapToLong(at -> usedMiB[at]).toArray(),
                Arrays.stream(there).map(at -> usedCore[at]).toArray());
    }

    public NodeDevices node() {
        return node;
    }

    /** The number of devices. */
    public int count() {
        return usedMiB.length;
    }

    public Device device(int at) {
        return node.devices().get(at);
    }

    /** The memory of a device that is free; below zero where more is reserved than it has. */
    public long freeMiB(int at) {
        return device(at).memoryMiB() - usedMiB[at];
    }

    public long usedMiB(int at) {
        return usedMiB[at];
    }

    /** The compute of a device that is free; below zero where more is reserved than it has. */
    public int freeCore(int at) {
        return device(at).core() - usedCore[at];
    }

    /** Whether nothing is reserved on a device. */
    public boolean isIdle(int at) {
        return usedMiB[at] == 0 && usedCore[at] == 0;
    }

    /** Where a device is; below zero where the node does not have it. */
    public int find(String uuid) {
        for (int i = 0; i < usedMiB.length; i++) {
            if (device(i).uuid().equals(uuid)) {
                return i;
            }
        }
        return -1;
    }
}
