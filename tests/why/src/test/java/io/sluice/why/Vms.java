package io.sluice.why;

import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.FileCachePlan;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** VMs and nodes of these tests. A VM begins with 4 units, and may have from 1 to 16. */
final class Vms {
    static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Duration FOREVER = Duration.ofDays(1);
    private static final Duration SPELL = Duration.ofSeconds(4);
    private static final int SPELLS = 100;

    /** The recorded load is scaled down to almost nothing: only the load that the scenario adds counts. */
    private static final double HARDLY_ANY = 0.01;

    private Vms() {}

    static LabNode node(String name, int units, LabVm... vms) {
        return new LabNode(name, UNIT.times(units), List.of(vms), Resources.NONE);
    }

    static LabVm idle(String name) {
        return vm(name, false, List.of());
    }

    /** A VM that needs so much CPU all the time. */
    static LabVm busy(String name, double vCpus) {
        return vm(name, false, always(vCpus));
    }

    /** A VM that needs so much CPU all the time, and may be moved. */
    static LabVm movable(String name, double vCpus) {
        return vm(name, true, always(vCpus));
    }

    /** A VM that needs so much CPU every other interval, and hardly any in between. */
    static LabVm restless(String name, double vCpus) {
        List<ScenarioEvent> spells = new ArrayList<>();
        for (int i = 0; i < SPELLS; i++) {
            spells.add(new ScenarioEvent.Surge(SPELL.multipliedBy(2L * i), SPELL, vCpus));
        }
        return vm(name, false, spells);
    }

    /** A VM that needs hardly any CPU, and memory for a working set that grows from 4 units to 14 and shrinks again. */
    static LabVm caching(String name) {
        return new LabVm(
                name,
                SeriesLibrary.NAMES.getFirst(),
                Duration.ZERO,
                HARDLY_ANY,
                false,
                List.of(),
                FleetPlan.SIZES,
                Optional.of(new FileCachePlan(3L << 30, 10L << 30, Duration.ofHours(12))));
    }

    private static List<ScenarioEvent> always(double vCpus) {
        return List.of(new ScenarioEvent.Surge(Duration.ZERO, FOREVER, vCpus));
    }

    private static LabVm vm(String name, boolean migratable, List<ScenarioEvent> events) {
        return new LabVm(name, SeriesLibrary.NAMES.getFirst(), Duration.ZERO, HARDLY_ANY, migratable, events);
    }
}
