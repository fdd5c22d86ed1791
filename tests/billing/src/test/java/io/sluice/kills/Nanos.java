package io.sluice.kills;

import java.time.Instant;

/** Instants as nanoseconds since 1970, which fit a long until 2262. */
final class Nanos {
    private Nanos() {}

    static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), History.SECOND), instant.getNano());
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, History.SECOND), Math.floorMod(nanos, History.SECOND));
    }
}
