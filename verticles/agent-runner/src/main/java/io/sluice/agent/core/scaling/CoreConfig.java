package io.sluice.agent.core.scaling;

import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/**
 * The part of its agent's config that a {@link ScalingCore} gets.
 *
 * @param computeUnit the step of CPU and memory
 * @param scaling how metrics become a goal, unless the VM overrides it
 * @param requestTick a permit request is sent at least this often
 * @param schedulerRetryWait from a failed permit request to the next
 * @param deniedRetryWait from a permit request that was not granted in full to the next
 * @param neonVmRetryWait from a failed patch to the next
 * @param monitorRetryWait from a failed request to the monitor to the next of its kind
 * @param deniedDownscaleCooldown how long a denied downscale is not tried again
 * @param requestedUpscaleValid how long the monitor's upscale request counts
 * @param permitSafety how the core treats what the scheduler has reserved
 * @param permitValidFor growth on a permit starts no later than this after its request was sent
 * @param confirmBy what makes a patched size count as used
 * @param confirmTimeout how long the status is waited for before another patch may follow
 * @param maxUpscaleStepCu how many compute units one upscale notification to the monitor may add; 0 for no limit
 */
public record CoreConfig(
        Resources computeUnit,
        ScalingConfig scaling,
        Duration requestTick,
        Duration schedulerRetryWait,
        Duration deniedRetryWait,
        Duration neonVmRetryWait,
        Duration monitorRetryWait,
        Duration deniedDownscaleCooldown,
        Duration requestedUpscaleValid,
        PermitSafety permitSafety,
        Duration permitValidFor,
        ConfirmationMode confirmBy,
        Duration confirmTimeout,
        int maxUpscaleStepCu) {
    /** The defaults of most fleets: units of 250 m and 1 GiB. */
    public static final CoreConfig DEFAULTS = new CoreConfig(
            new Resources(250, 1L << 30),
            ScalingConfig.DEFAULTS,
            Duration.ofSeconds(15),
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            PermitSafety.STRICT,
            Duration.ofSeconds(10),
            ConfirmationMode.PATCH,
            Duration.ofSeconds(30),
            0);

    private static final long MOST_OF_ONE_UNIT = Long.MAX_VALUE / (GoalCu.MOST_CU + 1);

    public CoreConfig {
        Objects.requireNonNull(scaling, "scaling");
        Objects.requireNonNull(permitSafety, "permitSafety");
        Objects.requireNonNull(confirmBy, "confirmBy");
        if (computeUnit.hasZero() || computeUnit.exceeds(new Resources(MOST_OF_ONE_UNIT, MOST_OF_ONE_UNIT))) {
            throw new IllegalArgumentException("agent.computeUnit=" + Quantities.text(computeUnit)
                    + " must be above 0 and, taken " + GoalCu.MOST_CU + " times, must fit 64 bits");
        }
        Durations.requirePositive("agent.requestTick", requestTick);
        Durations.requirePositive("agent.schedulerRetryWait", schedulerRetryWait);
        Durations.requirePositive("agent.deniedRetryWait", deniedRetryWait);
        Durations.requirePositive("agent.neonVmRetryWait", neonVmRetryWait);
        Durations.requirePositive("agent.monitorRetryWait", monitorRetryWait);
        Durations.requirePositive("agent.deniedDownscaleCooldown", deniedDownscaleCooldown);
        Durations.requirePositive("agent.requestedUpscaleValid", requestedUpscaleValid);
        Durations.requirePositive("agent.confirmTimeout", confirmTimeout);
        if (permitValidFor.compareTo(deniedRetryWait) <= 0) {
            throw new IllegalArgumentException("agent.permitValidFor=" + Durations.text(permitValidFor)
                    + " must exceed agent.deniedRetryWait=" + Durations.text(deniedRetryWait));
        }
        if (maxUpscaleStepCu < 0) {
            throw new IllegalArgumentException(
                    "agent.maxUpscaleStepCu=" + maxUpscaleStepCu + " must be 0 (no limit) or more");
        }
    }

    boolean strict() {
        return switch (permitSafety) {
            case STRICT -> true;
            case REFERENCE -> false;
        };
    }

    boolean confirmedByStatus() {
        return switch (confirmBy) {
            case STATUS -> true;
            case PATCH -> false;
        };
    }
}
