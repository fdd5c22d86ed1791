package io.sluice.simulation.model.pods;

import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;

/** What a kubelet has read of a pod, has allocated to it, and has applied. */
final class KubeletState {
    /** The pod as the kubelet has read it, which may be older than what is stored. */
    ScaledPod known;

    Resources allocated;

    /** What the control group really has: memory that the container uses is not taken from it at once. */
    Resources actual;

    /** The reason of the condition that a resize waits; empty if none does. */
    String pending = "";

    String message = "";
    boolean writing;
    boolean changed;
    boolean shrinking;
    boolean retries;

    KubeletState(ScaledPod known, Resources size) {
        this.known = known;
        allocated = size;
        actual = size;
    }

    /**
     * A status.
     *
     * @param generation of the spec that it is of
     */
    record Shown(long generation, Resources allocated, Resources actual, String pending, String message) {}

    Shown shown() {
        return new Shown(known.generation(), allocated, actual, pending, message);
    }

    Resources mayApply() {
        return known.requests().max(allocated).max(actual);
    }
}
