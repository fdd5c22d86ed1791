package io.sluice.simulation.exhaustive;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.PlacementAttempt;
import java.util.Optional;

/**
 * A process that places pods, one at a time.
 *
 * @param attempt what it is doing; empty while it is idle
 * @param awaits the step whose reply it awaits
 */
record Placer(Optional<PlacementAttempt> attempt, Optional<PlacementAttempt.Step> awaits) {
    static final Placer IDLE = new Placer(Optional.empty(), Optional.empty());

    boolean isIdle() {
        return attempt.isEmpty();
    }

    /** It with that step of an attempt under way. */
    static Placer at(PlacementAttempt attempt, PlacementAttempt.Step step) {
        return new Placer(Optional.of(attempt), Optional.of(step));
    }

    /**
     * The next step.
     *
     * @param reply empty if there was none
     */
    PlacementAttempt.Step next(Optional<Object> reply) {
        var making = attempt.orElseThrow();
        return switch (awaits.orElseThrow()) {
            case PlacementAttempt.Hold _ -> making.held(reply.map(HoldReply.class::cast));
            case PlacementAttempt.Bind _ -> making.bound(reply.map(PodBinding.class::cast));
            case PlacementAttempt.Touch _ -> making.touched(reply.map(PodBinding.class::cast));
            case PlacementAttempt.End end -> throw new IllegalStateException("an end has no reply: " + end);
        };
    }
}
