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
 * Serves agents over HTTP: it sends their requests to the ledger over the bus and replies in the agents' protocol. It
 * keeps only which pod runs which VM on which node, and the sessions of agents without sessions.
 */
public final class GatewayVerticle extends VerticleBase implements Reloadable<GatewayConfig> {
    private static final String PART = "gateway";
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration RELIST_AGAIN = Duration.ofSeconds(5);

    private final GatewayConfig config;
    private final Shell shell;
    private final Optional<TokenReviewer> reviewer;
    private final PodIndex pods = new PodIndex();
    private boolean listed;
    private volatile HttpListener listener;

    /** Creates a gateway that opens at its start and does not review tokens. */
    public GatewayVerticle(GatewayConfig config, Shell shell) {
        this(config, shell, Optional.empty());
    }

    /** Creates a gateway that may review tokens. */
    public GatewayVerticle(GatewayConfig config, Shell shell, Optional<TokenReviewer> reviewer) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.reviewer = Objects.requireNonNull(reviewer, "reviewer");
        if (config.agent().tokenReview().enabled() && reviewer.isEmpty()) {
            throw new IllegalArgumentException(TokenReviewConfig.SECTION + ".enabled needs a token reviewer");
        }
    }

    /** Returns the port of the agent API; 0 until it is open. Safe from any thread. */
    public int agentPort() {
        return listener == null ? 0 : listener.port();
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "the first full list of pods and VMs");
        var bus = new Bus(vertx);
        var identity = reviewer.filter(able -> config.agent().tokenReview().enabled())
                .map(able -> new AgentIdentity(vertx, config.agent().tokenReview(), shell, able));
        var agents = new AgentApi(vertx, bus, config.agent(), shell, pods, identity);
        return subscribe(bus, agents)
                .compose(received ->
                        HttpListener.open(vertx, shell, config.agent().listener(), agents.spec()))
                .onSuccess(opened -> {
                    listener = opened;
                    vertx.setPeriodic(TICK.toMillis(), tick -> agents.tick());
                    requestRelist(bus);
                });
    }

    @Override
    public Future<Void> reload(GatewayConfig section) {
        return listener.reload(section.agent().listener());
    }

    @Override
    public Future<?> stop() {
        shell.readiness().ready(PART);
        return listener.close();
    }

    private Future<Void> subscribe(Bus bus, AgentApi agents) {
        return Future.all(
                        bus.subscribe(ClusterAddresses.POD_OBSERVED, pods::observed),
                        bus.subscribe(ClusterAddresses.POD_GONE, end -> {
                            pods.gone(end);
                            agents.forget(end.uid());
                        }),
                        bus.subscribe(ClusterAddresses.VM_OBSERVED, pods::observed),
                        bus.subscribe(ClusterAddresses.VM_GONE, pods::gone),
                        bus.subscribe(ClusterAddresses.LISTED, this::listed))
                .mapEmpty();
    }

    private void listed(FullListPublished fullList) {
        listed = true;
        pods.listed();
        shell.readiness().ready(PART);
    }

    /** Requests a relist until a full list has arrived: its publisher may start later than this verticle. */
    private void requestRelist(Bus bus) {
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
        vertx.setPeriodic(RELIST_AGAIN.toMillis(), timer -> {
            if (listed) {
                vertx.cancelTimer(timer);
            } else {
                bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
            }
        });
    }
}
