package io.sluice.agent.core.revision;

import java.time.Duration;

/**
 * How long a goal took to pass one stage on its way to the VM.
 *
 * @param stage which stage
 * @param duration how long; may be slightly negative where the driver's timestamps have whole seconds
 * @param flags of the revision that passed, as {@link io.sluice.units.Revision} names them
 */
public record Latency(Stage stage, Duration duration, long flags) {
    /** The stages, each from the instant at which the action or goal was computed. */
    public enum Stage {
        /** To the scheduler's reply. */
        SCHEDULER,
        /** To the monitor's reply. */
        MONITOR,
        /** From the patch to the VM's status. */
        NEON_VM,
        /** From the goal to the VM's status. */
        SCALING
    }
}
