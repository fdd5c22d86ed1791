package io.sluice.launcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.TokenReviewConfig;
import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.store.GatedLedgerStore;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.api.TokenReviews;
import io.sluice.neonvm.lease.ClusterLease;
import io.sluice.neonvm.lease.LeaseConfig;
import io.sluice.neonvm.lease.LeaseMetrics;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The Kubernetes cluster that a process serves: its one client and its lease. */
final class ServedCluster {
    private static final String NO_LEASE = "no_lease";

    private final KubernetesConfig config;
    private final MeterRegistry meters;
    private final LeaseMetrics leaseMeters;
    private final ShutdownSequence stops;
    private Optional<KubernetesClient> client = Optional.empty();
    private Optional<LeaseHolder> lease = Optional.empty();

    /** @param stops where each part registers how it is stopped */
    ServedCluster(KubernetesConfig config, MeterRegistry meters, ShutdownSequence stops) {
        this.config = config;
        this.meters = meters;
        this.leaseMeters = new LeaseMetrics(meters);
        this.stops = stops;
    }

    /** How the API server is reached. */
    KubernetesConfig config() {
        return config;
    }

    /** The client, created at the first call. */
    KubernetesClient client() throws StartException {
        if (client.isEmpty()) {
            var made = connect();
            stops.push("the Kubernetes client", atMost -> made.close());
            client = Optional.of(made);
        }
        return client.get();
    }

    private KubernetesClient connect() throws StartException {
        try {
            return KubernetesConnection.open(config, meters);
        } catch (IllegalArgumentException unreadable) {
            throw new StartException(unreadable.getMessage(), unreadable);
        } catch (KubernetesClientException refused) {
            var cause = refused.getCause() == null ? refused : refused.getCause();
            throw new StartException("the API server cannot be reached with the section kubernetes: " + cause, refused);
        }
    }

    /** The reviewer of tokens, where agents must authenticate by them. */
    Optional<TokenReviewer> reviewer(TokenReviewConfig reviewConfig, Vertx vertx, Shell shell) throws StartException {
        return reviewConfig.enabled()
                ? Optional.of(new TokenReviews(vertx, client(), config, shell))
                : Optional.empty();
    }

    /**
     * Waits for the lease.
     *
     * @param vertx one that lives as long as the process
     * @param shell has the other processes that hold it in the same name
     * @return false when the process is to end before
     */
    boolean hold(Vertx vertx, LeaseConfig config, HazelcastConfig hazelcast, Shell shell, BooleanSupplier ending)
            throws StartException {
        var sought = ClusterLease.seek(client(), config, LeaseHolder.holder(hazelcast), System::nanoTime, leaseMeters);
        var hold = LeaseHolder.of(vertx, shell.readiness(), sought);
        stops.push("the lease", atMost -> hold.close(!hazelcast.keepTogether() || isLast(shell), atMost));
        lease = Optional.of(hold);
        return hold.await(ending);
    }

    private static boolean isLast(Shell shell) {
        var self = shell.peers().self();
        return shell.peers().all().stream()
                .filter(peer -> !peer.id().equals(self.id()))
                .noneMatch(peer -> peer.roles().contains(Role.CLUSTER.key()));
    }

    /** Seeks the right of this process to place pods without kube-scheduler. */
    SchedulerTerm seekSchedulerTerm(LeaseConfig config) throws StartException {
        var term = SchedulerTerm.seek(client(), config, meters);
        stops.push("the lease of the scheduler", term::close);
        return term;
    }

    /** The ledger store, which grants nothing while the lease is not held; unchanged without a lease. */
    LedgerStore gated(LedgerStore store) {
        return lease.<LedgerStore>map(hold -> new GatedLedgerStore(store, NO_LEASE, hold::missing))
                .orElse(store);
    }

    /** Completes, with a reason, when another installation has begun to serve the Kubernetes cluster. */
    CompletableFuture<String> taken() {
        return lease.map(LeaseHolder::taken).orElseGet(CompletableFuture::new);
    }
}
