package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a checkpoint that may be continued where another process may have billed since. What was used before
 * becomes a gap. Records begin at the end of a window, so their keys are those of the other process.
 *
 * @param checkpoint the checkpoint to continue
 * @param gaps the time that is not billed
 * @param isCut whether time before the bound was cut off
 */
public record BoundedCheckpoint(ExactCollector.Checkpoint checkpoint, List<Gap> gaps, boolean isCut) {
    /** Cuts off what is older than the changes that a process keeps. */
    public static BoundedCheckpoint of(ExactCollector.Checkpoint last, ExactCollector.Options options, Instant now) {
        var bound = new BillingWindows(options.window()).endBefore(now.minus(ChangeLog.KEPT));
        if (!last.receivedUntil().isBefore(bound)) {
            return new BoundedCheckpoint(last, List.of(), false);
        }
        var gaps = new ArrayList<Gap>();
        var meters = new ArrayList<UsageMeterState>();
        for (var state : last.meters()) {
            var before = new UsageMeter(state);
            if (state.start().isBefore(bound)) {
                gaps.add(new Gap(state.key(), state.start(), bound, before.milliCpu(), Gap.Cause.RESTART));
                meters.add(new UsageMeter(state.key(), state.version(), before.milliCpu(), bound, bound).state());
            } else {
                meters.add(state);
            }
        }
        return new BoundedCheckpoint(
                new ExactCollector.Checkpoint(meters, last.ended(), bound, Optional.of(bound)), gaps, true);
    }
}
