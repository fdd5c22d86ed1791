package io.sluice.pressure;

import io.sluice.pressure.core.choice.Policy;
import java.util.Locale;
import java.util.Optional;

/** Who leaves a full node first, as config names it. */
public enum PolicyName {
    /** Those with a known load before the others, the least loaded first; then the older. */
    LOWEST_LOAD(Policy.LOWEST_LOAD),
    /** The oldest. */
    OLDEST(Policy.OLDEST),
    /** As few as possible: the smallest that is enough alone, else the one that helps most. */
    BEST_FIT(Policy.BEST_FIT),
    /** By measured load of the nodes, which nobody measures yet: refused. */
    LIVE_PRESSURE;

    private final Optional<Policy> policy;

    PolicyName(Policy policy) {
        this.policy = Optional.of(policy);
    }

    PolicyName() {
        policy = Optional.empty();
    }

    /** The rule behind the name; empty where there is none yet. */
    Optional<Policy> policy() {
        return policy;
    }

    /** As it is written in config. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
