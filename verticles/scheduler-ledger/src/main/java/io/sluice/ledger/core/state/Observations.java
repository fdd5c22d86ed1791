package io.sluice.ledger.core.state;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The newest observations that were applied to a reservation. Each source has its own versions.
 *
 * @param pod the newest observation of the pod
 * @param vm the newest observation of the VM
 * @param since when the reservation was made
 * @param locked whether the newest observation of the VM shows that a migration has locked it
 * @param deferred the growth for which its kubelet has no room now, by the newest observation of the VM
 */
public record Observations(Optional<Kind> pod, Optional<Kind> vm, Instant since, boolean locked, Resources deferred) {
    /**
     * An observation that was applied.
     *
     * @param version of the object; {@link #OUTDATED} once a store restore made it incomparable
     * @param amounts the amounts that the object showed
     */
    public record Kind(long version, Resources amounts) {
        /** Older than any version after a store restore. */
        static final long OUTDATED = Long.MIN_VALUE;

        public Kind {
            Objects.requireNonNull(amounts, "amounts");
        }
    }

    public Observations {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(deferred, "deferred");
    }

    /** The first observation of a pod. */
    public static Observations first(long version, Resources amounts, Instant since) {
        return new Observations(
                Optional.of(new Kind(version, amounts)), Optional.empty(), since, false, Resources.NONE);
    }

    /** What the objects show in use: the larger of both, because each may lag behind the other. */
    public Resources inUse() {
        var ofPod = pod.map(Kind::amounts).orElse(Resources.NONE);
        return vm.map(Kind::amounts).orElse(Resources.NONE).max(ofPod);
    }

    public boolean containsPodAt(long version) {
        return pod.isPresent() && pod.get().version() >= version;
    }

    public boolean containsVmAt(long version) {
        return vm.isPresent() && vm.get().version() >= version;
    }

    public boolean repeatsPod(long version) {
        return pod.isPresent() && pod.get().version() == version;
    }

    public boolean repeatsVm(long version) {
        return vm.isPresent() && vm.get().version() == version;
    }

    /** Whether a full list of this version would contain the pod if the pod still existed. */
    public boolean coveredBy(long fullList) {
        return pod.isPresent() && pod.get().version() <= fullList;
    }

    public Observations withPod(long version, Resources amounts) {
        return new Observations(Optional.of(new Kind(version, amounts)), vm, since, locked, deferred);
    }

    public Observations withVm(long version, Resources amounts, boolean nowLocked, Resources nowDeferred) {
        return new Observations(pod, Optional.of(new Kind(version, amounts)), since, nowLocked, nowDeferred);
    }

    /**
     * Versions start again after a store restore: the next one counts as newer, and the next of the VM as its first.
     */
    public Observations inNewEpoch() {
        return new Observations(
                pod.map(observation -> new Kind(Kind.OUTDATED, observation.amounts())),
                Optional.empty(),
                since,
                locked,
                deferred);
    }
}
