package io.sluice.replay.core.recorded;

import io.sluice.agent.core.journal.JournalPlayback;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One VM of a recording: a new {@link ScalingCore} gets what production's core got, at the same times, and each of its
 * decisions is compared with the recorded one. Steps come in their order.
 */
public final class RecordedVm {
    private final Map<Comparison, Long> comparisons = new EnumMap<>(Comparison.class);
    private final Map<Deviation, Long> deviations = new EnumMap<>(Deviation.class);
    private String runner = "";
    private long number;
    private boolean midway;
    private boolean missing;
    private Optional<ScalingCore> core = Optional.empty();
    private Optional<String> firstDifference = Optional.empty();

    /** A step of a runner of the VM. */
    public void step(String ofRunner, long itsNumber, List<CoreEntry> entries) {
        boolean follows = ofRunner.equals(runner) && itsNumber == number + 1;
        if (!follows && core.isPresent()) {
            missing = ofRunner.equals(runner);
            core = Optional.empty();
        }
        runner = ofRunner;
        number = itsNumber;
        entries.forEach(this::play);
    }

    private void play(CoreEntry entry) {
        if (entry instanceof CoreEntry.Began(var config, var vm, var later)) {
            core = Optional.of(new ScalingCore(config, vm));
            midway = later;
            missing = false;
        } else if (entry instanceof CoreEntry.Decided recorded) {
            compare(recorded);
        } else {
            core.ifPresent(present -> JournalPlayback.play(entry, present));
        }
    }

    private void compare(CoreEntry.Decided recorded) {
        if (core.isEmpty()) {
            count(missing ? Comparison.STEP_MISSING : Comparison.CORE_UNKNOWN);
            return;
        }
        var actions = core.get().nextActions(recorded.at());
        var again = CoreEntry.Decided.of(actions, recorded.at());
        if (again.equals(recorded)) {
            count(Comparison.EQUAL);
            deviations.merge(deviation(actions, core.get().detail(), recorded.at()), 1L, Long::sum);
            return;
        }
        count(midway ? Comparison.DESCRIBED_MIDWAY : Comparison.UNEXPLAINED);
        if (firstDifference.isEmpty()) {
            firstDifference = Optional.of("recorded " + recorded + ", made again " + again);
        }
    }

    private void count(Comparison comparison) {
        comparisons.merge(comparison, 1L, Long::sum);
    }

    /** The first cause of its order counts. */
    private static Deviation deviation(ActionSet actions, CoreDetail core, Instant now) {
        var using = core.vm().using();
        if (using.equals(ofSample(actions, core))) {
            return Deviation.NONE;
        }
        if (!actions.demand().complete()) {
            return Deviation.SAMPLE_LATE;
        }
        if (actions.basis().requestedCu() > actions.basis().goalCu()) {
            return Deviation.UPSCALE_REQUEST;
        }
        if (actions.demand().denied()) {
            return Deviation.DOWNSCALE_DENIED;
        }
        if (core.driver().moving()) {
            return Deviation.MIGRATION;
        }
        if (actions.desired().exceeds(using) && isDenied(core)) {
            return Deviation.LEDGER_DENIED;
        }
        if (isUnderWay(actions, core)) {
            return Deviation.UNDER_WAY;
        }
        if (core.monitor().approved().isEmpty()) {
            return Deviation.NO_MONITOR;
        }
        return failed(core, now) ? Deviation.RETRY : Deviation.UNEXPLAINED;
    }

    /** The size that the last sample alone asks for, within the VM's bounds. */
    private static Resources ofSample(ActionSet actions, CoreDetail core) {
        return core.config()
                .computeUnit()
                .times(actions.basis().goalCu())
                .min(core.vm().max())
                .max(core.vm().min());
    }

    private static boolean isDenied(CoreDetail core) {
        return core.scheduler()
                .last()
                .flatMap(last -> core.scheduler()
                        .permit()
                        .filter(permit -> last.resources().exceeds(permit)))
                .isPresent();
    }

    private static boolean isUnderWay(ActionSet actions, CoreDetail core) {
        return actions.pluginRequest().isPresent()
                || actions.neonVmRequest().isPresent()
                || actions.monitorUpscale().isPresent()
                || actions.monitorDownscale().isPresent()
                || core.scheduler().requesting()
                || core.driver().patching().isPresent()
                || core.monitor().telling().isPresent()
                || core.monitor().requested().isPresent();
    }

    private static boolean failed(CoreDetail core, Instant now) {
        var config = core.config();
        return isWithin(core.scheduler().failedAt(), config.schedulerRetryWait(), now)
                || isWithin(core.driver().failedAt(), config.neonVmRetryWait(), now)
                || isWithin(core.monitor().upscaleFailedAt(), config.monitorRetryWait(), now)
                || isWithin(core.monitor().downscaleFailedAt(), config.monitorRetryWait(), now);
    }

    private static boolean isWithin(Optional<Instant> since, Duration wait, Instant now) {
        return since.filter(at -> now.isBefore(at.plus(wait))).isPresent();
    }

    /** How many decisions compared how. */
    public Map<Comparison, Long> comparisons() {
        return comparisons;
    }

    /** How many of the equal decisions were made for a VM of another size than its last sample asks for, by cause. */
    public Map<Deviation, Long> deviations() {
        return deviations;
    }

    /** The first decision that differs. */
    public Optional<String> firstDifference() {
        return firstDifference;
    }
}
