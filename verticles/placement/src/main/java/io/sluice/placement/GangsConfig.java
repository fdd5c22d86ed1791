package io.sluice.placement;

import io.sluice.placement.core.gangs.GangOptions;
import io.sluice.placement.core.gangs.GangRecord.Backoff;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * The section {@code placement.gangs}: whether pods that name a gang start together with it, or not at all.
 *
 * @param enabled whether pods that name a gang start together or not at all
 * @param timeout how long room that is held singly waits for the others, where the gang has no timeout of its own
 * @param backoff how long a gang waits after its first failure; twice as long after each further one
 * @param backoffMax the longest wait of a gang after a failure
 * @param rejectPercentage how many of a hundred members may lack where one that is held singly finds no node; with more
 *     all are released
 * @param matchPolicy which members count toward a gang's minimum where the gang does not say: those that are held, also
 *     those that run, or also those that succeeded; after that was enough once, later members start alone
 * @param preemption whether members of other gangs of lower priority are evicted, beyond their minimum, where the whole
 *     gang fits then; needs {@code placement.preemption}
 */
public record GangsConfig(
        boolean enabled,
        Duration timeout,
        Duration backoff,
        Duration backoffMax,
        int rejectPercentage,
        MatchPolicy matchPolicy,
        boolean preemption) {
    /** Off. */
    public static final GangsConfig DEFAULTS = of(false);

    public GangsConfig {
        Objects.requireNonNull(matchPolicy, "placement.gangs.matchPolicy");
        if (!timeout.isPositive() || timeout.compareTo(GangOptions.TIMEOUT_MAX) > 0) {
            throw refused("timeout", timeout, "must be positive, and at most " + text(GangOptions.TIMEOUT_MAX));
        }
        if (!backoff.isPositive()) {
            throw refused("backoff", backoff, "must be positive");
        }
        if (backoffMax.compareTo(backoff) < 0) {
            throw refused("backoffMax", backoffMax, "must not be below placement.gangs.backoff=" + text(backoff));
        }
        if (rejectPercentage < 0 || rejectPercentage > 100) {
            throw new IllegalArgumentException(
                    "placement.gangs.rejectPercentage=" + rejectPercentage + " must be between 0 and 100");
        }
        if (preemption && !enabled) {
            throw new IllegalArgumentException("placement.gangs.preemption=true needs placement.gangs.enabled=true");
        }
    }

    private static IllegalArgumentException refused(String key, Duration value, String expected) {
        return new IllegalArgumentException("placement.gangs." + key + "=" + text(value) + " " + expected);
    }

    private static String text(Duration duration) {
        return Durations.text(duration);
    }

    /** On or off, with the other defaults. */
    public static GangsConfig of(boolean enabled) {
        var defaults = GangOptions.DEFAULTS;
        return new GangsConfig(
                enabled,
                defaults.timeout(),
                defaults.backoff().first(),
                defaults.backoff().longest(),
                defaults.rejectPercentage(),
                defaults.matchPolicy(),
                false);
    }

    /** How gangs are placed. */
    public GangOptions options() {
        return new GangOptions(
                timeout, matchPolicy, new Backoff(backoff, backoffMax), rejectPercentage, GangOptions.BINDS_AT_ONCE);
    }
}
