package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** What one party's rule came to: a request with its target, or a wait, or neither; never both. */
record Plan(Optional<Resources> target, Optional<Duration> waitFor) {
    static final Plan NOTHING = new Plan(Optional.empty(), Optional.empty());

    static Plan request(Resources target) {
        return new Plan(Optional.of(target), Optional.empty());
    }

    static Plan waiting(Duration rest) {
        return new Plan(Optional.empty(), Optional.of(rest));
    }
}
