package io.sluice.placement.core.gangs;

import io.sluice.placement.core.gangs.GangRecord.Backoff;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * How gangs are placed, and what counts where they do not say it themselves.
 *
 * @param timeout how long holds wait for the others, where they are made singly
 * @param matchPolicy which members count toward the minimum
 * @param backoff how long a gang waits after a failure
 * @param rejectPercentage how many members of hundred may lack where one that is held singly finds no node
 * @param bindsAtOnce how many members of a gang are bound at a time
 */
public record GangOptions(
        Duration timeout, MatchPolicy matchPolicy, Backoff backoff, int rejectPercentage, int bindsAtOnce) {
    /** The longest timeout: so long room may be held that nothing uses. */
    public static final Duration TIMEOUT_MAX = Duration.ofMinutes(30);

    /** How many members of a gang are bound at a time. */
    public static final int BINDS_AT_ONCE = 100;

    /** The defaults. */
    public static final GangOptions DEFAULTS = new GangOptions(
            Duration.ofSeconds(60),
            MatchPolicy.ONCE_SATISFIED,
            new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(300)),
            10,
            BINDS_AT_ONCE);

    public GangOptions {
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(matchPolicy, "matchPolicy");
        Objects.requireNonNull(backoff, "backoff");
    }

    /** The same with another number of binds at a time. */
    public GangOptions binding(int atOnce) {
        return new GangOptions(timeout, matchPolicy, backoff, rejectPercentage, atOnce);
    }
}
