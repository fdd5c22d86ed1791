package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks whether changes are received. Changes published during a silence may be lost. Only a full list shows what
 * changed, and nothing is known of a VM that it does not name.
 */
final class ObservationContinuity {
    private final Duration staleAfter;
    private final Set<VmId> named = new HashSet<>();
    private Optional<Gap.Cause> missing = Optional.of(Gap.Cause.RESTART);
    private Optional<Instant> until = Optional.empty();
    private Optional<Instant> listedAt = Optional.empty();
    private boolean relistWanted;

    /** @param staleAfter the silence after which changes count as missed */
    ObservationContinuity(Duration staleAfter) {
        this.staleAfter = staleAfter;
    }

    /** An earlier process received changes until then. */
    void resume(Instant receivedUntil) {
        until = Optional.of(receivedUntil);
    }

    Optional<Gap.Cause> missing() {
        return missing;
    }

    /** Whether no changes are missed. */
    boolean isWell() {
        return missing.isEmpty();
    }

    /** The last instant up to which changes were received; empty before there was one. */
    Optional<Instant> until() {
        return until;
    }

    void named(VmId vm) {
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
    }

    /** Advances the time, also when nothing is received. */
    void notice(Instant now) {
        if (isWell() && until.filter(received -> isStale(received, now)).isPresent()) {
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

    /** Ends the time of missed changes, and returns the VMs that exist. */
    Set<VmId> goOn() {
        missing = Optional.empty();
        listedAt = Optional.empty();
        var there = Set.copyOf(named);
        named.clear();
        return there;
    }

    void requestRelist() {
        relistWanted = true;
    }

    /** Whether a full list is needed. The call resets it. */
    boolean takeRelistWanted() {
        boolean requests = relistWanted;
        relistWanted = false;
        return requests;
    }
}
