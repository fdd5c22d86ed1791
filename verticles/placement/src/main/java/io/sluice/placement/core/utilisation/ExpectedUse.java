package io.sluice.placement.core.utilisation;

import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * What a pod will use at its peak.
 *
 * @param host CPU and memory
 * @param cards GPUs; a part of one for a share
 */
public record ExpectedUse(Resources host, double cards) {
    /** Nothing. */
    public static final ExpectedUse NONE = new ExpectedUse(Resources.NONE, 0);

    private static final long DEFAULT_MILLI_CPU = 250;
    private static final long DEFAULT_MEMORY = 200L << 20;
    private static final double BEYOND_REQUEST = 1.5;

    public ExpectedUse {
        Objects.requireNonNull(host, "host");
    }

    /**
     * The first that is known of each kind: the recorded peak of the same owner, the limit, one and a half times the
     * request, a default.
     */
    public static ExpectedUse of(
            Optional<Resources> recorded, Optional<Resources> limit, Resources request, double cards) {
        return new ExpectedUse(
                new Resources(
                        first(
                                recorded.map(Resources::milliCpu),
                                limit.map(Resources::milliCpu),
                                request.milliCpu(),
                                DEFAULT_MILLI_CPU),
                        first(
                                recorded.map(Resources::memoryBytes),
                                limit.map(Resources::memoryBytes),
                                request.memoryBytes(),
                                DEFAULT_MEMORY)),
                cards);
    }

    private static long first(Optional<Long> recorded, Optional<Long> limit, long request, long fallback) {
        return recorded.filter(known -> known > 0)
                .or(() -> limit.filter(known -> known > 0))
                .orElseGet(() -> request > 0 ? Math.round(request * BEYOND_REQUEST) : fallback);
    }

    ExpectedUse plus(ExpectedUse other) {
        return new ExpectedUse(host.plus(other.host), cards + other.cards);
    }
}
