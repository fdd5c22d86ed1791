package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.Optional;

/** A VM in a test; its pod has its name as uid. */
public record Vm(
        String name,
        Resources min,
        Resources max,
        Resources use,
        boolean autoscaled,
        VmPhase phase,
        Overcommit overcommit,
        Optional<Resources> approved,
        String fence) {
    static Vm of(String name, long use, long max) {
        return new Vm(
                name,
                Scene.cpu(1),
                Scene.cpu(max),
                Scene.cpu(use),
                true,
                VmPhase.RUNNING,
                Overcommit.OFF,
                Optional.empty(),
                "");
    }

    Vm using(long milliCpu) {
        return new Vm(name, min, max, Scene.cpu(milliCpu), autoscaled, phase, overcommit, approved, fence);
    }

    Vm limited(long milliCpu) {
        return new Vm(name, min, Scene.cpu(milliCpu), use, autoscaled, phase, overcommit, approved, fence);
    }

    Vm atLeast(long milliCpu) {
        return new Vm(name, Scene.cpu(milliCpu), max, use, autoscaled, phase, overcommit, approved, fence);
    }

    Vm autoscaled(boolean on) {
        return new Vm(name, min, max, use, on, phase, overcommit, approved, fence);
    }

    Vm in(VmPhase newPhase) {
        return new Vm(name, min, max, use, autoscaled, newPhase, overcommit, approved, fence);
    }

    Vm overcommitted(long cpuMilli) {
        return new Vm(name, min, max, use, autoscaled, phase, new Overcommit(cpuMilli, 1000), approved, fence);
    }

    Vm approvedAt(long milliCpu) {
        return new Vm(name, min, max, use, autoscaled, phase, overcommit, Optional.of(Scene.cpu(milliCpu)), fence);
    }

    Vm fencedBy(String newFence) {
        return new Vm(name, min, max, use, autoscaled, phase, overcommit, approved, newFence);
    }

    public VmObserved at(long version) {
        return at(version, name, true, false);
    }

    /** An observation of it in that pod, with these labels. */
    public VmObserved at(long version, String pod, boolean migratable, boolean alwaysMigrate) {
        return new VmObserved(
                new VmId("test", "ns", name, name),
                version,
                pod,
                pod,
                Scene.NODE,
                phase,
                autoscaled,
                migratable,
                alwaysMigrate,
                new VmSizes(min, max, use, Optional.empty(), 1),
                overcommit,
                ScalingOverrides.NONE,
                Optional.empty(),
                approved,
                fence,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
