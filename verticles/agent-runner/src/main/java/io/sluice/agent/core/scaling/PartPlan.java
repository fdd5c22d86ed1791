package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** The result of one party's rule: a request with its target, or a wait, or neither; never both. */
record PartPlan(Optional<Resources> target, Optional<Duration> waitFor) {
    static final PartPlan NOTHING = new PartPlan(Optional.empty(), Optional.empty());

    static PartPlan request(Resources target) {
        return new PartPlan(Optional.of(target), Optional.empty());
    }

    static PartPlan waiting(Duration rest) {
        return new PartPlan(Optional.empty(), Optional.of(rest));
    }
}
