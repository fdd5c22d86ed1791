package io.sluice.neonvm.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectorBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.LeaseTerm;
import io.sluice.shell.LogKeys;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease of a Kubernetes cluster, which permits a process to load a ledger from it. The client's elector takes and
 * renews the Lease. Processes that keep one ledger together hold it in one name, and each of them renews it. Safe from
 * any thread.
 */
public final class ClusterLease {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLease.class);

    private final KubernetesClient client;
    private final LeaseConfig config;
    private final LongSupplier nanoTime;
    private final LeaseMetrics meters;
    private final RecordingLock lock;
    private final AtomicReference<LeaseTerm> term;
    private final CompletableFuture<Void> held = new CompletableFuture<>();
    private final CompletableFuture<String> taken = new CompletableFuture<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Optional<String> lastFailure = Optional.empty();
    private volatile boolean ended;
    private volatile Seeking seeking;

    /** One elector, which can be used once, and its run. */
    private record Seeking(LeaderElector elector, CompletableFuture<?> done) {}

    private ClusterLease(
            KubernetesClient client, LeaseConfig config, String holder, LongSupplier nanoTime, LeaseMetrics meters) {
        this.client = client;
        this.config = config;
        this.nanoTime = nanoTime;
        this.meters = meters;
        term = new AtomicReference<>(LeaseTerm.sought(holder, config.sure()));
        lock = new RecordingLock(new LeaseLock(config.namespace(), config.name(), holder), new TermHistory(), nanoTime);
    }

    /**
     * Tries to take the Lease from now on, until it is closed.
     *
     * @param client must stay open longer than the lease
     * @param holder the name in which the Lease is held
     * @param nanoTime the monotonic clock
     * @param meters report the Lease from now on
     */
    public static ClusterLease seek(
            KubernetesClient client, LeaseConfig config, String holder, LongSupplier nanoTime, LeaseMetrics meters) {
        var lease = new ClusterLease(client, config, holder, nanoTime, meters);
        meters.sought(() -> lease.missing().isEmpty());
        lease.elect();
        return lease;
    }

    /** Completes when the Lease is held for the first time. */
    public CompletableFuture<Void> held() {
        return held;
    }

    /** Completes, with a reason, when another holder has taken the Lease after it was held here. */
    public CompletableFuture<String> taken() {
        return taken;
    }

    /** Why the Lease may not be relied on now, in a sentence; empty while no other holder can have it. */
    public Optional<String> missing() {
        return switch (term.get().at(nanoTime.getAsLong())) {
            case LeaseTerm.State.Held() -> Optional.empty();
            case LeaseTerm.State.Sought(var holder) ->
                Optional.of(name() + (holder.isEmpty() ? " is not held yet" : " is held by " + holder) + lastTry());
            case LeaseTerm.State.Unsure(var since) ->
                Optional.of(name() + " was last renewed " + since.toSeconds() + " s ago" + lastTry());
            case LeaseTerm.State.Taken(var holder) -> Optional.of(takenBy(holder));
        };
    }

    private String takenBy(String holder) {
        return name() + " was taken by " + (holder.isEmpty() ? "another holder" : holder);
    }

    private String name() {
        return "the lease " + config.namespace() + "/" + config.name();
    }

    private String lastTry() {
        return lastFailure.map(why -> "; the last attempt: " + why).orElse("");
    }

    /** Stops renewing the Lease; another holder may take it once it has expired. */
    public void close() {
        ended = true;
        seeking.done().cancel(true);
        threads.shutdownNow();
    }

    /**
     * Closes it and releases the Lease, so that another holder may take it at once. Not to be called while another
     * process of the same name still runs.
     *
     * @param atMost how long to wait for the API server
     */
    public void giveBack(Duration atMost) {
        ended = true;
        var last = seeking;
        last.done().cancel(true);
        if (missing().isEmpty()) {
            try {
                CompletableFuture.runAsync(last.elector()::release, threads)
                        .get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException notGiven) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.REASON, KubernetesApi.words(notGiven))
                        .log("The lease could not be released; other holders can take it only after it has expired.");
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        close();
    }

    /** An elector ends if it could not renew in time or observed another holder. Then the next elector starts. */
    private void elect() {
        var elector = new LeaderElectorBuilder(client, threads)
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(config.name())
                        .withLock(lock)
                        .withLeaseDuration(config.duration())
                        .withRenewDeadline(config.sure())
                        .withRetryPeriod(config.renewEvery())
                        .withReleaseOnCancel(false)
                        .withLeaderCallbacks(new LeaderCallbacks(() -> {}, () -> {}, holder -> {}))
                        .build())
                .build();
        var done = elector.start();
        seeking = new Seeking(elector, done);
        done.whenComplete((nothing, failure) -> {
            if (!ended) {
                CompletableFuture.delayedExecutor(config.renewEvery().toMillis(), TimeUnit.MILLISECONDS)
                        .execute(this::electUnlessEnded);
            }
        });
        if (ended) {
            done.cancel(true);
        }
    }

    private void electUnlessEnded() {
        if (!ended) {
            elect();
        }
    }

    private void step(UnaryOperator<LeaseTerm> change) {
        var after = term.updateAndGet(change);
        switch (after.at(nanoTime.getAsLong())) {
            case LeaseTerm.State.Held() -> held.complete(null);
            case LeaseTerm.State.Taken(var holder) -> taken.complete(takenBy(holder));
            case LeaseTerm.State.Sought sought -> {}
            case LeaseTerm.State.Unsure unsure -> {}
        }
    }

    private final class TermHistory implements RecordingLock.History {
        @Override
        public void saw(String holder, int number) {
            step(before -> before.saw(holder, number));
        }

        @Override
        public void renewed(int number, long sentAtNanos) {
            meters.renewed();
            lastFailure = Optional.empty();
            step(before -> before.renewed(number, sentAtNanos));
        }

        @Override
        public void failed(Throwable why) {
            meters.failed();
            lastFailure = Optional.of(KubernetesApi.words(why));
        }
    }
}
