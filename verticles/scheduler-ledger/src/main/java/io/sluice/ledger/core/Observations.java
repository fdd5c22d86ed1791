package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which facts about a member were taken; each source counts its versions by itself.
 *
 * @param pod the newest fact about its pod
 * @param vm the newest fact about its VM
 * @param since when the books first held the member
 */
public record Observations(Optional<Kind> pod, Optional<Kind> vm, Instant since) {
    /**
     * A fact that was taken.
     *
     * @param version of the object; {@link #OUTDATED} once a new epoch made it incomparable
     * @param amounts what the object counted at
     */
    public record Kind(long version, Resources amounts) {
        /** Older than any version of the new epoch. */
        static final long OUTDATED = Long.MIN_VALUE;

        public Kind {
            Objects.requireNonNull(amounts, "amounts");
        }
    }

    public Observations {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(since, "since");
    }

    /** The pod was seen, and nothing before it. */
    static Observations first(long version, Resources amounts, Instant since) {
        return new Observations(Optional.of(new Kind(version, amounts)), Optional.empty(), since);
    }

    /** What the objects show in use: the larger of both, as each may lag behind the other. */
    Resources inUse() {
        var ofPod = pod.map(Kind::amounts).orElse(Resources.NONE);
        return vm.map(Kind::amounts).orElse(Resources.NONE).max(ofPod);
    }

    boolean knowsPodAt(long version) {
        return pod.isPresent() && pod.get().version() >= version;
    }

    boolean knowsVmAt(long version) {
        return vm.isPresent() && vm.get().version() >= version;
    }

    boolean repeatsPod(long version) {
        return pod.isPresent() && pod.get().version() == version;
    }

    boolean repeatsVm(long version) {
        return vm.isPresent() && vm.get().version() == version;
    }

    /** Whether a listing of this version must have held the pod if it was still there. */
    boolean coveredBy(long listing) {
        return pod.isPresent() && pod.get().version() <= listing;
    }

    Observations withPod(long version, Resources amounts) {
        return new Observations(Optional.of(new Kind(version, amounts)), vm, since);
    }

    Observations withVm(long version, Resources amounts) {
        return new Observations(pod, Optional.of(new Kind(version, amounts)), since);
    }

    /** Versions start anew: whatever comes next is newer, and the VM is counted for the first time again. */
    Observations inNewEpoch() {
        return new Observations(pod.map(fact -> new Kind(Kind.OUTDATED, fact.amounts())), Optional.empty(), since);
    }
}
