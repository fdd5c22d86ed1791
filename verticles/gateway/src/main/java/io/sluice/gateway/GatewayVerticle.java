package io.sluice.gateway;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.gateway.core.PodIndex;
import io.sluice.gateway.listener.HttpListener;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Serves agents over HTTP: puts what they ask to the ledger over the bus and answers in the words of their protocol.
 * Keeps nothing but which pod runs which VM where, and the sessions of agents that know none.
 */
public final class GatewayVerticle extends VerticleBase implements Reloadable<GatewayConfig> {
    private static final String PART = "gateway";
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration RESYNC_AGAIN = Duration.ofSeconds(5);

    private final GatewayConfig config;
    private final Shell shell;
    private final Optional<TokenReviewer> reviewer;
    private final PodIndex pods = new PodIndex();
    private boolean listed;
    private volatile HttpListener door;

    /** A gateway that is not open yet, and that asks nobody whose a token is. */
    public GatewayVerticle(GatewayConfig config, Shell shell) {
        this(config, shell, Optional.empty());
    }

    /** The same, where somebody may be asked. */
    public GatewayVerticle(GatewayConfig config, Shell shell, Optional<TokenReviewer> reviewer) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.reviewer = Objects.requireNonNull(reviewer, "reviewer");
        if (config.agent().tokenReview().on() && reviewer.isEmpty()) {
            throw new IllegalArgumentException(TokenReviewConfig.SECTION + ".on needs somebody who reviews tokens");
        }
    }

    /** The port of the agents' door; 0 until it is open. Safe from any thread. */
    public int agentPort() {
        return door == null ? 0 : door.port();
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "the first listing of pods and VMs");
        var bus = new Bus(vertx);
        var identity = reviewer.filter(able -> config.agent().tokenReview().on())
                .map(able -> new AgentIdentity(vertx, config.agent().tokenReview(), shell, able));
        var agents = new AgentApi(vertx, bus, config.agent(), shell, pods, identity);
        return hear(bus, agents)
                .compose(heard -> HttpListener.open(vertx, shell, config.agent().door(), agents.doorway()))
                .onSuccess(opened -> {
                    door = opened;
                    vertx.setPeriodic(TICK.toMillis(), tick -> agents.tick());
                    wantFacts(bus);
                });
    }

    @Override
    public Future<Void> reload(GatewayConfig section) {
        return door.reload(section.agent().door());
    }

    @Override
    public Future<?> stop() {
        shell.readiness().ready(PART);
        return door.close();
    }

    private Future<Void> hear(Bus bus, AgentApi agents) {
        return Future.all(
                        bus.subscribe(ClusterAddresses.POD_SEEN, pods::seen),
                        bus.subscribe(ClusterAddresses.POD_GONE, end -> {
                            pods.gone(end);
                            agents.forget(end.uid());
                        }),
                        bus.subscribe(ClusterAddresses.VM_SEEN, pods::seen),
                        bus.subscribe(ClusterAddresses.VM_GONE, pods::gone),
                        bus.subscribe(ClusterAddresses.LISTED, this::listed))
                .mapEmpty();
    }

    private void listed(FullListPublished listing) {
        listed = true;
        pods.listed();
        shell.readiness().ready(PART);
    }

    /** Asks for every fact until a listing has been heard of: whoever publishes them may start later than this. */
    private void wantFacts(Bus bus) {
        bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
        vertx.setPeriodic(RESYNC_AGAIN.toMillis(), timer -> {
            if (listed) {
                vertx.cancelTimer(timer);
            } else {
                bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
            }
        });
    }
}
