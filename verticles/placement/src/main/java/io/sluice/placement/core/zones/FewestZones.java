package io.sluice.placement.core.zones;

import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneFit;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.List;

/** Scores a node by the number of zones that hold a request together, and by their distance. */
final class FewestZones {
    private static final int HUNDRED = 100;

    private FewestZones() {}

    static long score(NodeZones node, FixedAmounts wanted) {
        int unit = HUNDRED / node.zonesMax();
        for (int size = 1; size <= node.zones().size(); size++) {
            var fitting = ZoneFit.sets(node, size, wanted, Zone::available);
            if (!fitting.isEmpty()) {
                double nearest = fitting.stream()
                        .mapToDouble(FewestZones::distance)
                        .min()
                        .orElseThrow();
                return HUNDRED - (long) size * unit + (nearest <= nearest(node, size) ? unit / 2 : 0);
            }
        }
        return 0;
    }

    /** The least mean distance of that many zones of the node, free or not. */
    private static double nearest(NodeZones node, int size) {
        var all = new ArrayList<Double>();
        ZoneFit.collect(node.zones(), size, 0, new ArrayList<>(), set -> all.add(distance(set)));
        return all.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private static double distance(List<Zone> zones) {
        double sum = 0;
        for (var from : zones) {
            for (var to : zones) {
                sum += from.distanceTo(to);
            }
        }
        return sum / (zones.size() * zones.size());
    }
}
