package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Bounds;
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Notes the sizes that a VM is being given and those that its metrics ask for, as far as they are whole compute units.
 * What they ask for is noted when it changed since the last note of one runner.
 */
final class ScalingEventRecorder {
    private final VmObjectView view;
    private final Resources unit;
    private final ScalingEventRecorderConfig config;
    private final RunnerRequests out;
    private Optional<ScalingNoted> last = Optional.empty();

    ScalingEventRecorder(VmObjectView view, RunnerConfig config, RunnerRequests out) {
        this.view = view;
        this.unit = config.core().computeUnit();
        this.config = config.scalingEvents();
        this.out = out;
    }

    /** A patch is being sent. One that changes nothing, but shuts out another, gives the VM no size. */
    void patching(Resources current, Resources target, Instant now) {
        var from = Bounds.wholeUnits(current, unit);
        var to = Bounds.wholeUnits(target, unit);
        if (from.isPresent() && to.isPresent() && !current.equals(target)) {
            note(new ScalingNoted(
                    ScalingNoted.Kind.ACTUAL,
                    view.seen().vm(),
                    view.seen().traits().endpointId(),
                    now,
                    config.milliCu(from.getAsInt()),
                    config.milliCu(to.getAsInt()),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    /** The scaling core weighed its metrics; a goal that lacks some says nothing of the VM's load. */
    void weighed(Resources using, ActionSet wants, Instant now) {
        var current = wants.demand().complete() ? Bounds.wholeUnits(using, unit) : OptionalInt.empty();
        if (current.isEmpty()) {
            return;
        }
        var basis = wants.basis();
        var noted = new ScalingNoted(
                ScalingNoted.Kind.HYPOTHETICAL,
                view.seen().vm(),
                view.seen().traits().endpointId(),
                now,
                config.milliCu(current.getAsInt()),
                config.milliCu(basis.goalCu()),
                outside(basis.cpuCu()),
                outside(basis.memoryCu()),
                outside(basis.lfcCu()));
        if (last.filter(before -> isMuchTheSame(before, noted)).isEmpty()) {
            last = Optional.of(noted);
            note(noted);
        }
    }

    /** What is no number was not computed. */
    private Optional<Double> outside(Optional<Double> units) {
        return units.map(number -> number * config.cuMultiplier()).filter(Double::isFinite);
    }

    private boolean isMuchTheSame(ScalingNoted one, ScalingNoted other) {
        return one.targetMilliCu() == other.targetMilliCu()
                && stayed(one.cpuCu(), other.cpuCu())
                && stayed(one.memoryCu(), other.memoryCu())
                && stayed(one.lfcCu(), other.lfcCu());
    }

    private boolean stayed(Optional<Double> one, Optional<Double> other) {
        return one.isPresent() == other.isPresent()
                && one.filter(before -> config.isWorthAWord(other.orElseThrow() - before))
                        .isEmpty();
    }

    private void note(ScalingNoted noted) {
        out.act(new RunnerAction.Note(noted));
    }
}
