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
public record Seen(Optional<Fact> pod, Optional<Fact> vm, Instant since) {
    /**
     * A fact that was taken.
     *
     * @param version of the object; {@link #OUTDATED} once a new epoch made it incomparable
     * @param amounts what the object counted at
     */
    public record Fact(long version, Resources amounts) {
        /** Older than any version of the new epoch. */
        static final long OUTDATED = Long.MIN_VALUE;

        public Fact {
            Objects.requireNonNull(amounts, "amounts");
        }
    }

    public Seen {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(since, "since");
    }

    /** The pod was seen, and nothing before it. */
    static Seen first(long version, Resources amounts, Instant since) {
        return new Seen(Optional.of(new Fact(version, amounts)), Optional.empty(), since);
    }

    /** What the objects show in use: the larger of both, as each may lag behind the other. */
    Resources inUse() {
        var ofPod = pod.map(Fact::amounts).orElse(Resources.NONE);
        return vm.map(Fact::amounts).orElse(Resources.NONE).max(ofPod);
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

    Seen withPod(long version, Resources amounts) {
        return new Seen(Optional.of(new Fact(version, amounts)), vm, since);
    }

    Seen withVm(long version, Resources amounts) {
        return new Seen(pod, Optional.of(new Fact(version, amounts)), since);
    }

    /** Versions start anew: whatever comes next is newer, and the VM is counted for the first time again. */
    Seen inNewEpoch() {
        return new Seen(pod.map(fact -> new Fact(Fact.OUTDATED, fact.amounts())), Optional.empty(), since);
    }
}
