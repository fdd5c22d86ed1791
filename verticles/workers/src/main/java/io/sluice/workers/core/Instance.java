package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import java.time.Instant;

/**
 * One instance, desired and observed.
 *
 * @param removed whether it is to end for good
 * @param granted what the ledger has reserved for it, or is to reserve
 */
public record Instance(
        InstanceSpec spec, boolean removed, Resources granted, Numbers numbers, Status status, Retry retry) {
    /**
     * The numbers that tell one start or size of an instance from another.
     *
     * @param generation grows with each placement and each new size
     * @param placement the generation with which it was placed last; it names its reservation
     * @param start the generation with which it was started last; reports of earlier ones count for nothing
     * @param version of what is published of it; grows with each change
     */
    public record Numbers(long generation, long placement, long start, long version) {
        static Numbers of(long generation, long version) {
            return new Numbers(generation, generation, generation, version);
        }
    }

    /**
     * Where it stands.
     *
     * @param reason why, in words
     * @param worker where it runs; empty while it has none
     * @param since when its state changed
     * @param exitCode of its last end
     */
    public record Status(InstanceState state, String reason, String worker, Instant since, int exitCode) {}

    /**
     * When it is tried again.
     *
     * @param failures in a row
     * @param notBefore the earliest time of the next attempt; of an unknown one, the time at which it has ended for
     *     sure; of one that is to stop, never if it has failed
     */
    public record Retry(int failures, Instant notBefore) {
        /** Of an unknown instance whose worker may still come back with it, and of one that stops as it has failed. */
        static final Instant NEVER = Instant.MAX;
    }

    static Instance created(InstanceSpec spec, long generation, long version, Instant now) {
        return new Instance(
                spec,
                false,
                spec.requests(),
                Numbers.of(generation, version),
                new Status(InstanceState.PENDING, "", "", now, 0),
                new Retry(0, now));
    }

    public String id() {
        return spec.id();
    }

    public InstanceState state() {
        return status.state();
    }

    public String worker() {
        return status.worker();
    }

    /** Its name for the ledger: that of a pod, and another one for each placement. */
    public String uid() {
        return WorkerNames.uid(spec.id(), numbers.placement());
    }

    /** Whether it is on that worker, under that generation or one since its last start. */
    boolean isOn(String node, long generation) {
        return worker().equals(node) && state().holdsRoom() && generation >= numbers.start();
    }

    /** Whether only time shows that it has ended: what ran it has started anew, and remembers nothing. */
    boolean awaitsFence() {
        return state() == InstanceState.UNKNOWN && !retry.notBefore().equals(Retry.NEVER);
    }

    /** Whether it is stopped because it has failed, and not to go elsewhere. */
    boolean fails() {
        return state() == InstanceState.DESTROYING && retry.notBefore().equals(Retry.NEVER);
    }

    private Instance with(Status next) {
        return new Instance(spec, removed, granted, numbers, next, retry);
    }

    Instance with(Retry next) {
        return new Instance(spec, removed, granted, numbers, status, next);
    }

    Instance in(InstanceState state, String reason, Instant now) {
        return with(new Status(state, reason, worker(), now, status.exitCode()));
    }

    /** Its worker may come back with it. */
    Instance unknown(String reason, Instant now) {
        return in(InstanceState.UNKNOWN, reason, now).with(new Retry(retry.failures(), Retry.NEVER));
    }

    Instance on(String worker, Instant now) {
        return with(new Status(InstanceState.ASSIGNED, "", worker, now, status.exitCode()));
    }

    Instance ended(InstanceState state, String reason, int exitCode, Instant now) {
        return with(new Status(state, reason, worker(), now, exitCode));
    }

    /** It waits for a worker once more, under a new generation and with what it requests. */
    Instance again(String reason, Retry next, long version, Instant now) {
        long generation = numbers.generation() + 1;
        return new Instance(
                spec,
                removed,
                spec.requests(),
                Numbers.of(generation, version),
                new Status(InstanceState.PENDING, reason, "", now, status.exitCode()),
                next);
    }

    Instance toRemove() {
        return new Instance(spec, true, granted, numbers, status, retry);
    }

    /** With a new size and a new generation, where it is. */
    Instance resized(Resources amounts, long version) {
        return new Instance(
                spec.requesting(amounts),
                removed,
                amounts,
                new Numbers(numbers.generation() + 1, numbers.placement(), numbers.start(), version),
                status,
                retry);
    }

    private Instance numbered(Numbers next) {
        return new Instance(spec, removed, granted, next, status, retry);
    }

    /** Another content and size, under a new generation that has not started yet. */
    Instance amended(InstanceSpec next, Resources room, long version) {
        return new Instance(
                next,
                removed,
                room,
                new Numbers(numbers.generation() + 1, numbers.placement(), numbers.start(), version),
                status,
                retry);
    }

    /** It starts anew where it is, with what it requests. */
    Instance startedAgain(long version, Instant now) {
        return new Instance(
                spec,
                removed,
                spec.requests(),
                new Numbers(numbers.generation(), numbers.placement(), numbers.generation(), version),
                new Status(InstanceState.ASSIGNED, "", worker(), now, status.exitCode()),
                retry);
    }

    /** Another one of the same id, which waits for a worker while this one runs on. */
    Instance successor(InstanceSpec next, String reason, long version, Instant now) {
        return new Instance(
                next,
                false,
                next.requests(),
                Numbers.of(numbers.generation() + 1, version),
                new Status(InstanceState.PENDING, reason, "", now, status.exitCode()),
                new Retry(0, now));
    }

    /** It is the only one again, under a generation above that of the successor that was given up. */
    Instance reverted(Instance successor, String reason, long version, Instant now) {
        return in(InstanceState.RUNNING, reason, now)
                .numbered(new Numbers(
                        successor.numbers().generation() + 1, numbers.placement(), numbers.start(), version));
    }

    Instance versioned(long version) {
        return numbered(new Numbers(numbers.generation(), numbers.placement(), numbers.start(), version));
    }
}
