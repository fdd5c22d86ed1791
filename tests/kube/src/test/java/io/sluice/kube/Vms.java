package io.sluice.kube;

import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.core.LabVmSizes;
import io.sluice.lab.load.SeriesLibrary;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Nodes and VMs of the scenarios: idle until a scenario raises their load, with bounds from one unit to four. */
final class Vms {
    /** 250m and 1Gi. */
    static final Resources UNIT = new Resources(250, 1L << 30);

    /** Built for five units, so that the bounds limit it; it begins with 500m and 1Gi. */
    static final LabVmSizes SIZES = new LabVmSizes(UNIT, units(4), units(5), new Resources(500, 1L << 30));

    /** Factor that leaves almost nothing of the recorded load, so that only the load of the scenario counts. */
    private static final double HARDLY_ANY = 0.01;

    private Vms() {}

    static Resources units(int count) {
        return UNIT.times(count);
    }

    static LabNode node(String name, int units, LabVm... vms) {
        return new LabNode(name, units(units), List.of(vms), Resources.NONE);
    }

    static LabVm vm(String name) {
        return new LabVm(name, SeriesLibrary.NAMES.getFirst(), Duration.ZERO, HARDLY_ANY, false, List.of())
                .sized(SIZES);
    }

    /** That many VMs, with numbered names. */
    static LabVm[] fleet(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> vm(name + "-" + i)).toArray(LabVm[]::new);
    }
}
