package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks whether changes of one driver's VMs are received. Changes published during a silence may be lost. Only a full
 * list shows what changed, and nothing is known of a VM that it does not name.
 */
final class ObservationContinuity {
    private final Duration staleAfter;
    private final Set<VmId> named = new HashSet<>();
    private Optional<Gap.Cause> missing = Optional.of(Gap.Cause.RESTART);
    private Optional<Instant> until;
    private Optional<Instant> listedAt = Optional.empty();
    private Optional<Instant> watchedAt = Optional.empty();
    private boolean counts = true;
    private boolean awaitsList;
    private boolean relistWanted;

    /**
     * @param staleAfter the silence after which changes count as missed
     * @param until the instant up to which an earlier process received changes; empty if there was none
     */
    ObservationContinuity(Duration staleAfter, Optional<Instant> until) {
        this.staleAfter = staleAfter;
        this.until = until;
    }

    Optional<Gap.Cause> missing() {
        return missing;
    }

    /** Whether no changes are missed. */
    boolean isWell() {
        return missing.isEmpty();
    }

    /** Whether the driver has VMs that are billed, or publishes that they are watched. */
    boolean counts() {
        return counts;
    }

    /** The last instant up to which changes were received; empty before there was one. */
    Optional<Instant> until() {
        return until;
    }

    void named(VmId vm, boolean billed) {
        counts |= billed;
        if (!isWell()) {
            named.add(vm);
        }
    }

    void struck(VmId vm) {
        named.remove(vm);
    }

    /** A full list is complete. */
    void listed(Instant now) {
        listedAt = Optional.of(now);
        awaitsList = false;
    }

    /** The driver's watch was up to date. */
    void watched(Instant now) {
        watchedAt = Optional.of(now);
        counts = true;
    }

    /** Another full list is needed, because the last one arrived before the driver was known. */
    void requestList() {
        if (!isWell() && listedAt.isEmpty() && !awaitsList) {
            awaitsList = true;
            relistWanted = true;
        }
    }

    /** Advances the time, also when nothing is received. */
    void notice(Instant now) {
        if (isWell() && isStale(until, now)) {
            missing = Optional.of(Gap.Cause.WATCH);
            startOver();
        } else if (!isWell() && isWatched(now) && isStale(listedAt, now)) {
            startOver();
        }
    }

    private boolean isStale(Optional<Instant> last, Instant now) {
        return last.filter(at -> Duration.between(at, now).compareTo(staleAfter) > 0)
                .isPresent();
    }

    private boolean isWatched(Instant now) {
        return watchedAt.isPresent() && !isStale(watchedAt, now);
    }

    private void startOver() {
        listedAt = Optional.empty();
        named.clear();
        awaitsList = true;
        relistWanted = true;
    }

    /** All changes until then were received. */
    void received(Instant now) {
        until = Optional.of(now);
    }

    /** Whether a full list has arrived after changes were missed. */
    boolean isCaughtUp() {
        return !isWell() && listedAt.isPresent();
    }

    /** Whether the driver is silent, and no VM of it was named since changes were missed. */
    boolean isAbandoned(Instant now) {
        return !isWell() && !isWatched(now) && named.isEmpty();
    }

    /** Ends the time of missed changes, and returns the VMs that exist. */
    Set<VmId> goOn() {
        missing = Optional.empty();
        listedAt = Optional.empty();
        var there = Set.copyOf(named);
        named.clear();
        return there;
    }

    /**
     * A full list without any VM of this silent driver: it had none then, and counts no more until its watch is proven.
     */
    void abandon(Instant now) {
        until = Optional.of(now);
        counts = false;
    }

    /** Whether a full list is needed. The call resets it. */
    boolean takeRelistWanted() {
        boolean requests = relistWanted;
        relistWanted = false;
        return requests;
    }
}
