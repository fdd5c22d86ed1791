package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;

import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;

/** Observations of a running VM of four units with its runner's fence, each with one difference. */
final class RunnerObservations {
    /** The same load needs twice the CPU. */
    static final ScalingOverrides HALF_FULL = overrides(Optional.of(0.45), Optional.empty(), Optional.empty());

    /** No valid config together with the agent's, whose working set is read from the fifth window on. */
    static final ScalingOverrides TOO_WIDE = overrides(Optional.empty(), Optional.empty(), Optional.of(9));

    static final ScalingOverrides WITH_FILE_CACHE = overrides(Optional.empty(), Optional.of(true), Optional.empty());

    private RunnerObservations() {}

    static VmObserved usual(long version) {
        return sized(version, RunnerRig.sizes(cu(4)));
    }

    static VmObserved bounded(long version, int min, int max) {
        return sized(version, new VmSizes(cu(min), cu(max), cu(4), Optional.of(cu(4)), 1L << 27));
    }

    static VmObserved slotted(long version, long slotBytes) {
        return sized(version, new VmSizes(cu(1), cu(16), cu(4), Optional.of(cu(4)), slotBytes));
    }

    static VmObserved overridden(long version, ScalingOverrides overrides, String... complaints) {
        var observed = usual(version);
        return new VmObserved(
                observed.vm(),
                version,
                observed.pod(),
                observed.podName(),
                observed.node(),
                observed.phase(),
                observed.autoscaled(),
                observed.migratable(),
                observed.alwaysMigrate(),
                observed.sizes(),
                observed.overcommit(),
                overrides,
                observed.currentRevision(),
                observed.approved(),
                observed.fence(),
                observed.metrics(),
                observed.fileCache(),
                observed.monitor(),
                new VmTraits("", "", 0, "", Resources.NONE, Resources.NONE, List.of(complaints)));
    }

    static VmObserved ofEndpoint(long version, String endpoint) {
        return usual(version)
                .with(Optional.empty(), new VmTraits(endpoint, "", 0, "", Resources.NONE, Resources.NONE, List.of()));
    }

    static VmObserved complainedOf(long version, String... complaints) {
        return overridden(version, ScalingOverrides.NONE, complaints);
    }

    private static VmObserved sized(long version, VmSizes sizes) {
        return RunnerRig.observation(version, "pod-a", VmPhase.RUNNING, true, sizes, Optional.empty(), "r.1/0");
    }

    private static ScalingOverrides overrides(
            Optional<Double> load, Optional<Boolean> fileCache, Optional<Integer> window) {
        return new ScalingOverrides(
                load,
                Optional.empty(),
                Optional.empty(),
                fileCache,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                window,
                Optional.empty(),
                Optional.empty());
    }
}
