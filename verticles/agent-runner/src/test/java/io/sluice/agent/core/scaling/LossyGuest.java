package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

/**
 * The guest in the VM with its monitor: it takes requests one after the other, some of them long after they are given
 * up, and has accepted what a request contains whether or not its reply arrives.
 */
final class LossyGuest {
    /** What became of a request. */
    enum Outcome {
        ACCEPTED,
        DENIED,
        FAILED
    }

    private final Random random;
    private Optional<Resources> accepted = Optional.empty();
    private long session;
    private Instant busyUntil = Instant.MIN;

    LossyGuest(Random random) {
        this.random = random;
    }

    /** It begins with what it finds, and forgets what it has accepted. */
    void connected() {
        session++;
        accepted = Optional.empty();
        busyUntil = Instant.MIN;
    }

    long session() {
        return session;
    }

    /** What it has accepted last in this session. */
    Optional<Resources> accepted() {
        return accepted;
    }

    /** When a request that is sent now is handled: after those before it. */
    Instant handles(Instant now, boolean faults) {
        boolean slow = faults && random.nextInt(6) == 0;
        Instant at = now.plusMillis(1 + random.nextInt(slow ? 3_000 : 100));
        busyUntil = at.isBefore(busyUntil) ? busyUntil : at;
        return busyUntil;
    }

    /**
     * A new session's first downscales may still be for more than the VM is sure to have: the monitor began with more,
     * and accepts nothing by them that was not there.
     */
    Outcome handle(Resources size, boolean down, Resources least, boolean faults) {
        if (faults && random.nextInt(8) == 0) {
            return Outcome.FAILED;
        }
        if (down && faults && random.nextInt(4) == 0) {
            return Outcome.DENIED;
        }
        accepted = Optional.of(size).filter(it -> !down || accepted.isPresent() || !it.exceeds(least));
        return Outcome.ACCEPTED;
    }
}
