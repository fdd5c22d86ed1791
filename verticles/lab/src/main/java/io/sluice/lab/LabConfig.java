package io.sluice.lab;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code lab}: the embedded fleet.
 *
 * @param cluster where the lab's objects are. {@code own}: in an API server inside the process; {@code kubernetes}: in
 *     the Kubernetes cluster of section {@code kubernetes}, which must be for tests: its nodes, pods and VMs are
 *     created there and deleted at the end
 * @param address the loopback address of the lab's API server
 * @param apiPort the port of the lab's API server; 0 for any free one
 * @param day how long a day of the recorded load takes
 * @param seed the seed of the lab's random numbers
 * @param controllerDelayMin the shortest time until a patched size is applied or a new migration begins
 * @param controllerDelayMax the longest time until a patched size is applied or a new migration begins
 * @param auditEvery how often the ledger's state is compared with the VMs
 * @param migration how long a migration takes
 * @param extender the URL of {@code gateway.extender}, which the lab's scheduler calls for VMs that arrive while it
 *     runs; empty: none arrive. Only with {@code cluster: own}
 * @param pods whether the fleet has an ordinary pod too, on a node with a kubelet, which the role {@code pods} scales.
 *     Only with {@code cluster: own}
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
        MigrationTimes migration,
        String extender,
        boolean pods) {
    /** The values for keys that are not set. */
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

    /** Without VMs that arrive while it runs, and without ordinary pods. */
    public LabConfig(
            LabCluster cluster,
            String address,
            int apiPort,
            Duration day,
            long seed,
            Duration controllerDelayMin,
            Duration controllerDelayMax,
            Duration auditEvery,
            MigrationTimes migration) {
        this(
                cluster,
                address,
                apiPort,
                day,
                seed,
                controllerDelayMin,
                controllerDelayMax,
                auditEvery,
                migration,
                "",
                false);
    }

    public LabConfig {
        Objects.requireNonNull(extender, "extender");
        if (!extender.isEmpty() && (!extender.startsWith("http://") || cluster != LabCluster.OWN)) {
            throw new IllegalArgumentException(
                    "lab.extender=" + extender + " must be an http:// URL, and needs lab.cluster=own");
        }
        if (pods && cluster != LabCluster.OWN) {
            throw new IllegalArgumentException("lab.pods=true needs lab.cluster=own");
        }
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

    /** The same with VMs that arrive while it runs, and are placed through that extender. */
    public LabConfig placedThrough(String url) {
        return new LabConfig(
                cluster,
                address,
                apiPort,
                day,
                seed,
                controllerDelayMin,
                controllerDelayMax,
                auditEvery,
                migration,
                url,
                pods);
    }

    /**
     * Section {@code lab.migration}: how long a migration takes.
     *
     * @param pendingMin the shortest time from the VM's locking until the target pod runs
     * @param pendingMax the longest time from the VM's locking until the target pod runs
     * @param runningMin the shortest time that copying the VM takes
     * @param runningMax the longest time that copying the VM takes
     */
    public record MigrationTimes(Duration pendingMin, Duration pendingMax, Duration runningMin, Duration runningMax) {
        /** The values for keys that are not set. */
        public static final MigrationTimes DEFAULTS = new MigrationTimes(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(3));

        public MigrationTimes {
            checkSpan("lab.migration.pending", pendingMin, pendingMax);
            checkSpan("lab.migration.running", runningMin, runningMax);
        }

        /**
         * It is in this record, since the outer record's defaults are initialised after this one's.
         *
         * @param keys the common begin of both keys
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
