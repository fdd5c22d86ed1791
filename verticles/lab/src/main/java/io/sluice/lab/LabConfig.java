package io.sluice.lab;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code lab}: the embedded fleet.
 *
 * @param cluster {@code own}: in an API of its own; {@code kubernetes}: in the cluster of section {@code kubernetes},
 *     one that is made for tests, where its nodes, pods and VMs are created, and deleted at its end
 * @param address loopback address that its Kubernetes API listens on
 * @param apiPort port of that API; 0 takes a free one
 * @param day how long a day of the recorded load takes
 * @param seed of what is left to chance
 * @param controllerDelayMin shortest time until a patched size becomes real, and a new migration begins
 * @param controllerDelayMax longest time until a patched size becomes real, and a new migration begins
 * @param auditEvery how often the books are compared with the VMs
 * @param migration how long a migration takes
 */
public record LabConfig(
        LabCluster cluster,
        String address,
        int apiPort,
        Duration day,
        long seed,
        Duration controllerDelayMin,
        Duration controllerDelayMax,
        Duration auditEvery,
        MigrationTimes migration) {
    /** What holds where no key is set. */
    public static final LabConfig DEFAULTS = new LabConfig(
            LabCluster.OWN,
            "127.0.0.1",
            0,
            Duration.ofSeconds(60),
            20_261_121,
            Duration.ofMillis(200),
            Duration.ofMillis(700),
            Duration.ofMillis(250),
            MigrationTimes.DEFAULTS);

    public LabConfig {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(migration, "migration");
        if (!address.startsWith("127.")) {
            throw new IllegalArgumentException("lab.address must be a loopback address, such as 127.0.0.1: " + address);
        }
        if (apiPort < 0 || apiPort > 65_535) {
            throw new IllegalArgumentException("lab.apiPort must be from 0 to 65535: " + apiPort);
        }
        if (day.compareTo(Duration.ofSeconds(1)) < 0 || day.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("lab.day must be from 1s to 24h: " + Durations.text(day));
        }
        MigrationTimes.checkSpan("lab.controllerDelay", controllerDelayMin, controllerDelayMax);
        if (auditEvery.toMillis() < 10) {
            throw new IllegalArgumentException("lab.auditEvery must be at least 10ms: " + Durations.text(auditEvery));
        }
    }

    /**
     * Section {@code lab.migration}: how long a migration takes.
     *
     * @param pendingMin shortest time from the VM's locking until the target pod runs
     * @param pendingMax longest time from the VM's locking until the target pod runs
     * @param runningMin shortest time that the copying takes
     * @param runningMax longest time that the copying takes
     */
    public record MigrationTimes(Duration pendingMin, Duration pendingMax, Duration runningMin, Duration runningMax) {
        /** What holds where no key is set. */
        public static final MigrationTimes DEFAULTS = new MigrationTimes(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(3));

        public MigrationTimes {
            checkSpan("lab.migration.pending", pendingMin, pendingMax);
            checkSpan("lab.migration.running", runningMin, runningMax);
        }

        /**
         * It stands here, as the outer record's defaults need this one's first.
         *
         * @param keys what the names of both keys begin with
         */
        static void checkSpan(String keys, Duration min, Duration max) {
            if (min.toMillis() < 1) {
                throw new IllegalArgumentException(keys + "Min must be at least 1ms: " + Durations.text(min));
            }
            if (max.compareTo(min) < 0) {
                throw new IllegalArgumentException(keys + "Max=" + Durations.text(max) + " must not be below " + keys
                        + "Min=" + Durations.text(min));
            }
        }
    }
}
