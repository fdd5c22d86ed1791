package io.sluice.shell;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What the process provides to each of its verticles.
 *
 * @param clock never goes back; for waits and ages
 * @param meters the registry for each verticle's own metrics
 * @param vmMeters the registry for metrics with a series for each VM, which are scraped separately
 * @param readiness where each verticle reports what it waits for
 * @param dumps where each verticle makes its state readable
 * @param random for jitter
 * @param peers the other processes
 * @param replica what other processes keep for this one
 */
public record Shell(
        InstantSource clock,
        MeterRegistry meters,
        MeterRegistry vmMeters,
        Readiness readiness,
        Dumps dumps,
        RandomGenerator random,
        Peers peers,
        Replica replica) {
    public Shell {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(meters, "meters");
        Objects.requireNonNull(vmMeters, "vmMeters");
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(dumps, "dumps");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(peers, "peers");
        Objects.requireNonNull(replica, "replica");
    }

    /** For a process for which others keep nothing. */
    public Shell(
            InstantSource clock,
            MeterRegistry meters,
            MeterRegistry vmMeters,
            Readiness readiness,
            Dumps dumps,
            RandomGenerator random,
            Peers peers) {
        this(clock, meters, vmMeters, readiness, dumps, random, peers, Replica.NONE);
    }

    /** For a process that is alone. */
    public Shell(
            InstantSource clock,
            MeterRegistry meters,
            MeterRegistry vmMeters,
            Readiness readiness,
            Dumps dumps,
            RandomGenerator random) {
        this(clock, meters, vmMeters, readiness, dumps, random, Peers.ALONE);
    }

    /** The same with those processes. */
    public Shell among(Peers others, Replica kept) {
        return new Shell(clock, meters, vmMeters, readiness, dumps, random, others, kept);
    }

    /** The same with those processes, which keep nothing for this one. */
    public Shell among(Peers others) {
        return among(others, Replica.NONE);
    }

    /** For a verticle alone, without readers of its state and VM metrics. */
    public Shell(InstantSource clock, MeterRegistry meters, Readiness readiness, RandomGenerator random) {
        this(clock, meters, new CompositeMeterRegistry(), readiness, new Dumps(), random);
    }
}
