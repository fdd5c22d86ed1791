package io.sluice.neonvm.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.neonvm.core.observed.ClusterVisibility;
import io.sluice.neonvm.core.observed.PeersWithoutView;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Peer;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which of several processes leads the full lists: the one to which they are assigned among those that see the
 * Kubernetes cluster. A process that has not seen all of it for long publishes that. If no process sees all of it,
 * nothing changes. For one context.
 */
final class RelistLeader {
    private static final Logger LOG = LoggerFactory.getLogger(RelistLeader.class);
    private static final String LEAD = "listing";
    private static final Duration STEADY_LEAST = Duration.ofSeconds(30);
    private static final int STEADY_SPREAD_MS = 30_000;

    private final Shell shell;
    private final Bus bus;
    private final String role;
    private final PeersWithoutView blind = new PeersWithoutView();
    private final Counter stoodOff;
    private ClusterVisibility visibility;

    /** @param role the role of the processes that may lead */
    RelistLeader(Shell shell, Bus bus, String role) {
        this.shell = shell;
        this.bus = bus;
        this.role = role;
        this.visibility = ClusterVisibility.started(now());
        Gauge.builder("sluice.cluster.blind", () -> isBlind() ? 1 : 0)
                .description("Whether this process has not seen the whole Kubernetes cluster for long")
                .register(shell.meters());
        stoodOff = Counter.builder("sluice.kubernetes.leadership.yields")
                .description("How often this process stopped leading, as it had not seen the whole Kubernetes cluster")
                .register(shell.meters());
    }

    /** From now on reports of other processes without a whole view are received. */
    Future<Void> subscribe(Runnable changed) {
        return bus.subscribe(ClusterAddresses.LISTER_BLIND, reported -> {
            blind.reported(reported.member(), now());
            changed.run();
        });
    }

    /** Whether this process leads. */
    boolean mine() {
        return leader().filter(self()::equals).isPresent();
    }

    private Optional<String> leader() {
        if (shell.peers().alone()) {
            return Optional.of(self());
        }
        List<String> all = shell.peers().all().stream()
                .filter(peer -> peer.roles().contains(role))
                .map(Peer::id)
                .toList();
        return Assignment.holder(LEAD, blind.mayLead(all, now()));
    }

    /**
     * Runs once a second.
     *
     * @param missing what is not seen now, in words; empty if all of it is seen
     */
    void look(Optional<String> missing) {
        boolean was = isBlind();
        visibility = visibility.looked(missing, steady(), now());
        if (visibility instanceof ClusterVisibility.Blind(var what, var _, var _)) {
            blind.reported(self(), now());
            bus.publish(ClusterAddresses.LISTER_BLIND, new ListerWithoutView(self(), what));
            log(what, was);
        } else {
            blind.views(self());
            shell.readiness().ready(LEAD);
            if (was) {
                LOG.info("All kinds are listed and watched again.");
            }
        }
    }

    /** If no other process leads, this one stays ready, so that its clients are not rejected. */
    private void log(String what, boolean reportedBefore) {
        var other = leader().filter(id -> !id.equals(self()));
        if (!reportedBefore) {
            stoodOff.increment();
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, what)
                    .log("A kind could not be listed or watched for a minute; a process that can leads.");
        }
        other.ifPresentOrElse(
                id -> shell.readiness().waitFor(LEAD, "the whole Kubernetes cluster; " + id + " leads now: " + what),
                () -> shell.readiness().ready(LEAD));
    }

    void close() {
        shell.readiness().ready(LEAD);
    }

    private boolean isBlind() {
        return visibility instanceof ClusterVisibility.Blind;
    }

    /** A random part, so that processes with the same failure do not all return at once. */
    private Duration steady() {
        return STEADY_LEAST.plusMillis(shell.random().nextInt(STEADY_SPREAD_MS));
    }

    private String self() {
        return shell.peers().self().id();
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
