package io.sluice.agent.core.pace;

import java.time.Instant;
import java.util.Optional;

/** Instants that may be missing. */
public final class OptionalInstants {
    private OptionalInstants() {}

    /** The earlier of two. */
    public static Optional<Instant> sooner(Optional<Instant> one, Optional<Instant> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().isBefore(other.get()) ? one.get() : other.get())
                : one.or(() -> other);
    }
}
