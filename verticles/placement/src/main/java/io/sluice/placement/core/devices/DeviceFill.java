package io.sluice.placement.core.devices;

import io.sluice.devices.DeviceRoom;
import io.sluice.devices.DeviceSelection;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuShare;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.units.Resources;
import java.util.HashSet;
import java.util.OptionalDouble;

/**
 * Scores nodes by how full the GPUs would be that a pod gets there: the fuller the better, or the emptier, as it
 * wishes. Devices that are further apart than it prefers cost a tenth for each step. A node with GPUs loses a part of
 * its score for a pod that requests none, so that it stays free for those that do.
 *
 * @param penalty that part, 0 to 1
 */
public record DeviceFill(double penalty) implements DeviceScore {
    /** How much more than the score by CPU and memory this one counts. */
    private static final double WEIGHT = 3;

    /** The part that a node with GPUs loses by default. */
    public static final DeviceFill DEFAULT = new DeviceFill(0.2);

    private static final double STEP = 0.1;
    private static final double HUNDRED = 100;

    @Override
    public double weight(GpuDemand demand) {
        return WEIGHT;
    }

    @Override
    public OptionalDouble score(GpuDemand demand, Resources charge, NodeSnapshot node, Resources largest) {
        return FreeDevices.select(demand, node) instanceof DeviceSelection.Chosen chosen
                        && !chosen.shares().isEmpty()
                ? OptionalDouble.of(score(node.devices(), chosen, isSpread(demand)))
                : OptionalDouble.empty();
    }

    static boolean isSpread(GpuDemand demand) {
        return !demand.requests().isEmpty()
                && demand.requests().getFirst().selector().spread();
    }

    private static double score(DeviceRoom room, DeviceSelection.Chosen chosen, boolean spread) {
        double fill = fill(room, chosen) / HUNDRED;
        double score = spread ? 1 - fill : fill;
        return Math.max(0, score - STEP * Math.max(0, chosen.tier()));
    }

    /** How full the chosen devices would be, in percent. */
    static long fill(DeviceRoom room, DeviceSelection.Chosen chosen) {
        var counted = new HashSet<String>();
        long used = 0;
        long total = 0;
        for (GpuShare share : chosen.shares()) {
            int at = room.find(share.uuid());
            if (counted.add(share.uuid())) {
                used += room.usedMiB(at);
                total += room.device(at).memoryMiB();
            }
            used += share.memoryMiB();
        }
        return total == 0 ? 0 : Math.round(HUNDRED * used / total);
    }
}
