package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether changes are being heard of. What was said in a silence may be lost: only a full listing tells what has
 * changed, and of what it does not name nothing is known.
 */
final class ObservationContinuity {
    private final Duration staleAfter;
    private final Set<VmId> named = new HashSet<>();
    private Optional<Gap.Cause> missing = Optional.of(Gap.Cause.RESTART);
    private Optional<Instant> until = Optional.empty();
    private Optional<Instant> listedAt = Optional.empty();
    private Instant since;
    private boolean wantsListing;

    /** @param staleAfter for how long nothing need be heard before changes count as missed */
    ObservationContinuity(Duration staleAfter, Instant now) {
        this.staleAfter = staleAfter;
        this.since = now;
    }

    /** Changes were heard of until then by whoever was before. */
    void resume(Instant heardUntil) {
        until = Optional.of(heardUntil);
    }

    Optional<Gap.Cause> missing() {
        return missing;
    }

    /** Whether nothing is missed. */
    boolean isWell() {
        return missing.isEmpty();
    }

    /** The last instant at which changes were heard of; empty before there was one. */
    Optional<Instant> until() {
        return until;
    }

    /** Since when changes are heard of; empty while they are not. */
    Optional<Instant> since() {
        return Optional.of(since).filter(instant -> isWell());
    }

    void named(VmId vm) {
        if (!isWell()) {
            named.add(vm);
        }
    }

    void struck(VmId vm) {
        named.remove(vm);
    }

    /** A full listing is through. */
    void listed(Instant now) {
        listedAt = Optional.of(now);
    }

    /** Time goes by, and perhaps nothing is heard. */
    void notice(Instant now) {
        if (isWell() && until.filter(heard -> isStale(heard, now)).isPresent()) {
            missing = Optional.of(Gap.Cause.WATCH);
            startOver();
        } else if (!isWell() && listedAt.filter(at -> isStale(at, now)).isPresent()) {
            startOver();
        }
    }

    private boolean isStale(Instant last, Instant now) {
        return Duration.between(last, now).compareTo(staleAfter) > 0;
    }

    private void startOver() {
        listedAt = Optional.empty();
        named.clear();
        wantsListing = true;
    }

    /** All changes were heard of. */
    void heard(Instant now) {
        until = Optional.of(now);
    }

    /** Whether what was missed is known now, as everything was listed. */
    boolean isCaughtUp() {
        return !isWell() && listedAt.isPresent();
    }

    /** Nothing is missed any more. Answers what there is. */
    Set<VmId> goOn(Instant now) {
        missing = Optional.empty();
        since = now;
        listedAt = Optional.empty();
        var there = Set.copyOf(named);
        named.clear();
        return there;
    }

    /** Whether a full listing is wanted; told once. */
    boolean takeWantsListing() {
        boolean wants = wantsListing;
        wantsListing = false;
        return wants;
    }
}
