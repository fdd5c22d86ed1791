package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Bounds;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Records the sizes that a VM is patched to and the goals of its metrics, if they are whole compute units. A goal is
 * recorded when it changed since the runner's last record.
 */
final class ScalingEventRecorder {
    private final VmObjectView view;
    private final Resources unit;
    private final ScalingEventRecorderConfig config;
    private final RunnerRequests out;
    private Optional<ScalingRecorded> last = Optional.empty();

    ScalingEventRecorder(VmObjectView view, RunnerConfig config, RunnerRequests out) {
        this.view = view;
        this.unit = config.core().computeUnit();
        this.config = config.scalingEvents();
        this.out = out;
    }

    /** A patch is sent. One that changes nothing, but excludes another patch, is not recorded. */
    void patching(Resources current, Resources target, Instant now) {
        var from = Bounds.wholeUnits(current, unit);
        var to = Bounds.wholeUnits(target, unit);
        if (from.isPresent() && to.isPresent() && !current.equals(target)) {
            record(new ScalingRecorded(
                    ScalingRecorded.Kind.ACTUAL,
                    view.observed().vm(),
                    view.observed().traits().endpointId(),
                    now,
                    config.milliCu(from.getAsInt()),
                    config.milliCu(to.getAsInt()),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    /** The scaling core computed a goal. A goal that lacks some metrics is not recorded. */
    void weighed(Resources using, ActionSet actions, Instant now) {
        var current = actions.demand().complete() ? Bounds.wholeUnits(using, unit) : OptionalInt.empty();
        if (current.isEmpty()) {
            return;
        }
        var basis = actions.basis();
        var recorded = new ScalingRecorded(
                ScalingRecorded.Kind.HYPOTHETICAL,
                view.observed().vm(),
                view.observed().traits().endpointId(),
                now,
                config.milliCu(current.getAsInt()),
                config.milliCu(basis.goalCu()),
                outside(basis.cpuCu()),
                outside(basis.memoryCu()),
                outside(basis.lfcCu()));
        if (last.filter(before -> isNearlyEqual(before, recorded)).isEmpty()) {
            last = Optional.of(recorded);
            record(recorded);
        }
    }

    /** A part that is not a finite number was not computed. */
    private Optional<Double> outside(Optional<Double> units) {
        return units.map(number -> number * config.cuMultiplier()).filter(Double::isFinite);
    }

    private boolean isNearlyEqual(ScalingRecorded one, ScalingRecorded other) {
        return one.targetMilliCu() == other.targetMilliCu()
                && stayed(one.cpuCu(), other.cpuCu())
                && stayed(one.memoryCu(), other.memoryCu())
                && stayed(one.lfcCu(), other.lfcCu());
    }

    private boolean stayed(Optional<Double> one, Optional<Double> other) {
        return one.isPresent() == other.isPresent()
                && one.filter(before -> config.isWorthRecording(other.orElseThrow() - before))
                        .isEmpty();
    }

    private void record(ScalingRecorded recorded) {
        out.act(new RunnerAction.Record(recorded));
    }
}
