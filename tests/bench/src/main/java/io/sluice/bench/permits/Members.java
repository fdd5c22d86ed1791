package io.sluice.bench.permits;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.Optional;

/** VMs for permit requests to a ledger: one unit in use each, and a maximum of sixteen. */
public final class Members {
    private static final long GIB = 1L << 30;
    public static final Resources UNIT = new Resources(250, GIB);
    public static final Resources MOST = UNIT.times(16);

    private Members() {}

    public static String pod(int index) {
        return "pod-" + index;
    }

    public static VmObserved vm(int index, String node) {
        return new VmObserved(
                new VmId("neonvm", "default", "vm-" + index, "uid-" + index),
                1,
                pod(index),
                pod(index),
                node,
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, MOST, UNIT, Optional.of(UNIT), GIB),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
