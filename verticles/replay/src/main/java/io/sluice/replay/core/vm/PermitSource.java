package io.sluice.replay.core.vm;

import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Replies to the permit requests of one VM, at once. */
@FunctionalInterface
public interface PermitSource {
    /** A ledger with room for all. */
    PermitSource ROOM_FOR_ALL = (target, load1, use, at) -> new Granted(target, Optional.empty());

    /**
     * A permit.
     *
     * @param permit at most what was requested
     * @param validFor how long growth on it may start; empty for as long as the agent's config has it
     */
    record Granted(Resources permit, Optional<Duration> validFor) {}

    /** The reply to a request for {@code target} in total. */
    Granted request(Resources target, Optional<Float> load1, Optional<ReportedUse> use, Instant at);
}
