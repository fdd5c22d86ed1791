package io.sluice.shell;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What the process lends to each of its verticles.
 *
 * @param clock never goes back: waits and ages are taken from it
 * @param meters where each verticle registers its own metrics
 * @param vmMeters where metrics with a series for each VM are registered: they are scraped apart from the others
 * @param readiness where each verticle says what it waits for
 * @param dumps where each verticle lets its state be read
 * @param random for jitter
 * @param peers who else there is
 */
public record Shell(
        InstantSource clock,
        MeterRegistry meters,
        MeterRegistry vmMeters,
        Readiness readiness,
        Dumps dumps,
        RandomGenerator random,
        Peers peers) {
    public Shell {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(meters, "meters");
        Objects.requireNonNull(vmMeters, "vmMeters");
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(dumps, "dumps");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(peers, "peers");
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

    /** The same beside those. */
    public Shell among(Peers others) {
        return new Shell(clock, meters, vmMeters, readiness, dumps, random, others);
    }

    /** For a verticle alone, whose state and VMs nobody else reads. */
    public Shell(InstantSource clock, MeterRegistry meters, Readiness readiness, RandomGenerator random) {
        this(clock, meters, new CompositeMeterRegistry(), readiness, new Dumps(), random);
    }
}
