package io.sluice.messages.agent;

import java.util.Objects;
import java.util.Optional;

/**
 * The numbers that a goal was made from.
 *
 * @param goalCu the goal in compute units, before bounds
 * @param cpuCu the CPU's demand, unrounded; empty without metrics
 * @param memoryCu the memory's demand, unrounded; empty without metrics
 * @param lfcCu the file cache's demand, unrounded; empty without its metrics
 * @param load1 the 1-minute load; empty without metrics
 * @param load5 the 5-minute load; empty without metrics
 * @param usageBytes memory in use; empty without metrics
 * @param requestedCu the goal that an upscale request asks for; 0 while there is none
 * @param deniedCu the goal that a denied downscale keeps; 0 while there is none
 */
public record GoalBasis(
        int goalCu,
        Optional<Double> cpuCu,
        Optional<Double> memoryCu,
        Optional<Double> lfcCu,
        Optional<Double> load1,
        Optional<Double> load5,
        Optional<Double> usageBytes,
        int requestedCu,
        int deniedCu) {
    /** There are no numbers yet. */
    public static final GoalBasis NONE = new GoalBasis(
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0);

    public GoalBasis {
        Objects.requireNonNull(cpuCu, "cpuCu");
        Objects.requireNonNull(memoryCu, "memoryCu");
        Objects.requireNonNull(lfcCu, "lfcCu");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(load5, "load5");
        Objects.requireNonNull(usageBytes, "usageBytes");
    }
}
