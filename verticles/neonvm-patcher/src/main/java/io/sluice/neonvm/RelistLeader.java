package io.sluice.neonvm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.neonvm.core.ClusterVisibility;
import io.sluice.neonvm.core.PeersWithoutView;
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
 * Which of several processes leads the listings: the one that they fall to among those who see the cluster. One that
 * has not seen all of it for long says so to the others; where none sees it, nothing changes. For one context.
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
    private ClusterVisibility sight;

    /** @param role that those have who may lead */
    RelistLeader(Shell shell, Bus bus, String role) {
        this.shell = shell;
        this.bus = bus;
        this.role = role;
        this.sight = ClusterVisibility.started(now());
        Gauge.builder("sluice.cluster.blind", () -> isBlind() ? 1 : 0)
                .description("Whether this process has not seen the whole cluster for long")
                .register(shell.meters());
        stoodOff = Counter.builder("sluice.kubernetes.leadership.yields")
                .description("How often this process had not seen the whole cluster for long, and left the lead")
                .register(shell.meters());
    }

    /** From now on it is known who says that it is blind. */
    Future<Void> hear(Runnable changed) {
        return bus.subscribe(ClusterAddresses.LISTER_BLIND, said -> {
            blind.said(said.member(), now());
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
     * Once a second.
     *
     * @param missing what is not seen now, in words; empty if all of it is
     */
    void look(Optional<String> missing) {
        boolean was = isBlind();
        sight = sight.looked(missing, steady(), now());
        if (sight instanceof ClusterVisibility.Blind(var what, var _, var _)) {
            blind.said(self(), now());
            bus.publish(ClusterAddresses.LISTER_BLIND, new ListerWithoutView(self(), what));
            say(what, was);
        } else {
            blind.sees(self());
            shell.readiness().ready(LEAD);
            if (was) {
                LOG.info("The whole cluster is seen again.");
            }
        }
    }

    /** Where nobody else leads, this process is as good as any: whoever asks it is not to be sent away. */
    private void say(String what, boolean saidBefore) {
        var other = leader().filter(id -> !id.equals(self()));
        if (!saidBefore) {
            stoodOff.increment();
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, what)
                    .log("The whole cluster was not seen for too long; another leads if there is one that sees it.");
        }
        other.ifPresentOrElse(
                id -> shell.readiness().waitFor(LEAD, "all of the cluster to be seen, and " + id + " leads: " + what),
                () -> shell.readiness().ready(LEAD));
    }

    void close() {
        shell.readiness().ready(LEAD);
    }

    private boolean isBlind() {
        return sight instanceof ClusterVisibility.Blind;
    }

    /** Those that were blind by the same cause do not all come back at once. */
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
