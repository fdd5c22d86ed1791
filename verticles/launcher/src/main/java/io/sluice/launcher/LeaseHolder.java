package io.sluice.launcher;

import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.neonvm.lease.ClusterLease;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Readiness;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process's Lease of the Kubernetes cluster: awaited at its start, and watched while it runs. */
final class LeaseHolder {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseHolder.class);
    private static final String PART = "lease";
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration CANCEL_EVERY = Duration.ofMillis(200);

    private final Vertx vertx;
    private final Readiness readiness;
    private final ClusterLease lease;
    private final long timer;
    private boolean sure;

    private LeaseHolder(Vertx vertx, Readiness readiness, ClusterLease lease) {
        this.vertx = vertx;
        this.readiness = readiness;
        this.lease = lease;
        look();
        timer = vertx.setPeriodic(LOOK_EVERY.toMillis(), looked -> look());
    }

    /** The holder's name: unique for a process alone, shared by processes that have one ledger together. */
    static String holder(HazelcastConfig hazelcast) {
        if (hazelcast.keepTogether()) {
            return "members of " + hazelcast.name();
        }
        var host = Objects.requireNonNullElse(System.getenv("HOSTNAME"), "process");
        return host + "_" + UUID.randomUUID();
    }

    /**
     * Watches the lease from now on.
     *
     * @param lease acquired in the name of {@link #holder}
     */
    static LeaseHolder of(Vertx vertx, Readiness readiness, ClusterLease lease) {
        return new LeaseHolder(vertx, readiness, lease);
    }

    /**
     * Waits until the lease is held.
     *
     * @param ending whether the process is to end
     * @return false when the process is to end before
     */
    boolean await(BooleanSupplier ending) {
        while (!ending.getAsBoolean()) {
            try {
                lease.held().get(CANCEL_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException notYet) {
                // The loop checks whether to go on waiting.
            } catch (ExecutionException never) {
                throw new IllegalStateException("waiting for a lease cannot fail", never);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    /**
     * Why nothing may be granted now, in a sentence; empty while no other installation can serve the Kubernetes
     * cluster.
     */
    Optional<String> missing() {
        return lease.missing();
    }

    /** Completes, with a reason, when another installation has begun to serve the Kubernetes cluster. */
    CompletableFuture<String> taken() {
        return lease.taken();
    }

    /**
     * Stops watching the lease.
     *
     * @param giveBack whether no process of the same name goes on, so that the lease is released
     * @param atMost how long to wait for the API server
     */
    void close(boolean giveBack, Duration atMost) {
        vertx.cancelTimer(timer);
        if (giveBack) {
            lease.giveBack(atMost);
        } else {
            lease.close();
        }
        readiness.ready(PART);
    }

    private synchronized void look() {
        var missing = lease.missing();
        missing.ifPresentOrElse(reason -> readiness.waitFor(PART, reason), () -> readiness.ready(PART));
        if (sure && missing.isPresent()) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, missing.get())
                    .log("Nothing is granted until the lease is renewed.");
        } else if (!sure && missing.isEmpty()) {
            LOG.atInfo().log("The lease of the Kubernetes cluster is held.");
        }
        sure = missing.isEmpty();
    }
}
