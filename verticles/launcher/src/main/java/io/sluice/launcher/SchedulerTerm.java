package io.sluice.launcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.neonvm.lease.ClusterLease;
import io.sluice.neonvm.lease.LeaseConfig;
import io.sluice.neonvm.lease.LeaseMetrics;
import io.sluice.shell.SoleTerm;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * The Lease of the process that places pods without kube-scheduler. A process that has lost it seeks it anew. Safe from
 * any thread.
 */
final class SchedulerTerm {
    private static final String METRICS = "sluice.scheduler.lease";

    private final KubernetesClient client;
    private final LeaseConfig config;
    private final LeaseMetrics meters;
    private final String holder;
    private ClusterLease lease;
    private long number;
    private boolean closed;

    private SchedulerTerm(KubernetesClient client, LeaseConfig config, MeterRegistry meters) {
        this.client = client;
        this.config = config;
        this.meters = new LeaseMetrics(meters, METRICS);
        holder = Objects.requireNonNullElse(System.getenv("HOSTNAME"), "process") + "_" + UUID.randomUUID();
    }

    /** Tries to take the Lease from now on, until it is closed. */
    static SchedulerTerm seek(KubernetesClient client, LeaseConfig config, MeterRegistry meters) {
        var term = new SchedulerTerm(client, config, meters);
        term.seek();
        return term;
    }

    private synchronized void seek() {
        if (closed) {
            return;
        }
        if (lease != null) {
            lease.close();
        }
        number++;
        lease = ClusterLease.seek(client, config, holder, System::nanoTime, meters);
        lease.taken().thenRunAsync(this::seek);
    }

    /** Whether this process may place pods now. */
    synchronized SoleTerm term() {
        return new SoleTerm(number, lease.missing());
    }

    /** Releases the Lease, so that another process may take it at once. */
    synchronized void close(Duration atMost) {
        closed = true;
        lease.giveBack(atMost);
    }
}
