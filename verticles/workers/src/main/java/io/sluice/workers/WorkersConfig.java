package io.sluice.workers;

import io.sluice.shell.config.Durations;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.kubernetes.PodTarget;
import io.sluice.workers.store.PostgresDatabase;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;

/**
 * The section {@code workers} of the configuration: machines that register themselves.
 *
 * @param host address of the listener for workers; anything but loopback needs {@code tls} or {@code enrolment}
 * @param port the listener for workers; 0 takes any free one
 * @param controlPort the listener for controllers; 0 takes any free one
 * @param tls certificate and key of both listeners, and whose workers are admitted
 * @param store where workers and instances outlive this process: a directory for a file of this process alone, or a
 *     {@code jdbc:postgresql:} URL that several processes share, whose password is in the file that {@code PGPASSFILE}
 *     names
 * @param heartbeat how often a worker sends a sign of life; less often, and with a longer lease, beside very many
 * @param lease a worker without a frame for this long is suspect
 * @param lostAfter a worker that is suspect for this long is lost, and its instances run elsewhere
 * @param selfFence a worker ends its exclusive instances this long after it sent the last heartbeat that was
 *     acknowledged
 * @param stopGrace how long an instance has to end by itself
 * @param ackTimeout an order that is not acknowledged for this long has failed
 * @param startTimeout an instance that does not run for this long after its order has failed
 * @param recoveryWindow how long placements wait after a start for workers that are not back yet
 * @param reserve the share of each worker that instances do not get, 0 to below 1
 * @param maxWorkers the most workers
 * @param maxInstances the most instances
 * @param controlHost address of the listener for controllers; anything but loopback needs {@code tls} or
 *     {@code enrolment}
 * @param enrolment certificates that this process issues itself
 * @param rik agents and controllers of RIK
 * @param kubernetes nodes of Kubernetes, on which instances run as pods
 */
public record WorkersConfig(
        String host,
        int port,
        int controlPort,
        WorkersTls tls,
        String store,
        Duration heartbeat,
        Duration lease,
        Duration lostAfter,
        Duration selfFence,
        Duration stopGrace,
        Duration ackTimeout,
        Duration startTimeout,
        Duration recoveryWindow,
        double reserve,
        int maxWorkers,
        int maxInstances,
        String controlHost,
        WorkersEnrolment enrolment,
        RikConfig rik,
        PodTarget kubernetes) {
    /** What a kill and its report may take beyond the grace. */
    private static final Duration KILL_MAX = Duration.ofSeconds(3);

    /** However many workers there are, an exclusive instance outlives the loss of some heartbeats. */
    private static final int HEARTBEATS_PER_FENCE = 3;

    /** Listeners on loopback, and a store in the working directory. */
    public static final WorkersConfig DEFAULTS = new WorkersConfig(
            "127.0.0.1",
            4995,
            4996,
            WorkersTls.NONE,
            "workers",
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(45),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(300),
            Duration.ofSeconds(30),
            0.05,
            10_000,
            50_000,
            "127.0.0.1",
            WorkersEnrolment.OFF,
            RikConfig.OFF,
            PodTarget.OFF);

    public WorkersConfig {
        Objects.requireNonNull(tls, "workers.tls");
        Objects.requireNonNull(enrolment, "workers.enrolment");
        Objects.requireNonNull(rik, "workers.rik");
        Objects.requireNonNull(kubernetes, "workers.kubernetes");
        requireText("host", host);
        requireText("controlHost", controlHost);
        requireText("store", store);
        if (store.startsWith(PostgresDatabase.SCHEME)) {
            requireUsable(new PostgresDatabase(store));
        }
        for (var time : new Duration[] {
            heartbeat, lease, lostAfter, selfFence, stopGrace, ackTimeout, startTimeout, recoveryWindow
        }) {
            if (!time.isPositive()) {
                throw new IllegalArgumentException("every time in workers must be above zero: " + time);
            }
        }
        if (lease.compareTo(heartbeat.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("workers.lease=" + Durations.text(lease)
                    + " must be at least twice workers.heartbeat=" + Durations.text(heartbeat));
        }
        var fenced = selfFence.plus(stopGrace).plus(KILL_MAX);
        if (fenced.compareTo(lostAfter) > 0) {
            throw new IllegalArgumentException("workers.lostAfter=" + Durations.text(lostAfter)
                    + " must be at least workers.selfFence + workers.stopGrace + 3s = " + Durations.text(fenced)
                    + ", or an exclusive instance could run twice");
        }
        if (!(reserve >= 0 && reserve < 1)) {
            throw new IllegalArgumentException("workers.reserve=" + reserve + " must be 0 or more and below 1");
        }
        if (maxWorkers < 1 || maxInstances < 1) {
            throw new IllegalArgumentException("workers.maxWorkers and workers.maxInstances must be at least 1");
        }
        if (enrolment.enabled() && tls.namesClients()) {
            throw new IllegalArgumentException(
                    "workers.tls must not be given where workers.enrolment.enabled is true: one issuer is enough");
        }
        requireCertificates("host", host, tls.namesClients() || enrolment.enabled());
        requireCertificates("controlHost", controlHost, tls.namesClients() || enrolment.enabled());
    }

    private static void requireUsable(PostgresDatabase database) {
        if (database.url().contains("password=")) {
            throw new IllegalArgumentException(
                    "workers.store must have no password: it is read from the file that PGPASSFILE names");
        }
    }

    private static void requireText(String key, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("workers." + key + " must not be blank");
        }
    }

    private static void requireCertificates(String key, String host, boolean given) {
        if (!given && !isLoopback(host)) {
            throw new IllegalArgumentException("workers." + key + "=" + host
                    + " is not loopback, so workers.enrolment.enabled must be true, or workers.tls.cert,"
                    + " workers.tls.key and workers.tls.clientCa must be given");
        }
    }

    /** Of names only {@code localhost} counts. */
    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return host.matches("[0-9a-fA-F.:]+") && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException noAddress) {
            return false;
        }
    }

    FleetTiming timing() {
        return new FleetTiming(
                lease,
                lostAfter,
                ackTimeout,
                startTimeout,
                stopGrace,
                recoveryWindow,
                heartbeat,
                selfFence.dividedBy(HEARTBEATS_PER_FENCE));
    }
}
