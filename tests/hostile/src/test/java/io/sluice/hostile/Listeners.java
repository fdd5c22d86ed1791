package io.sluice.hostile;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.AgentListenerConfig;
import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.gateway.HealthVerticle;
import io.sluice.gateway.VmMetricsVerticle;
import io.sluice.gateway.console.ConsoleProcess;
import io.sluice.gateway.console.ConsoleVerticle;
import io.sluice.gateway.dump.DumpVerticle;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Every listener of a process, with a ledger that grants every request and counts them. */
final class Listeners {
    private static final Resources UNIT = new Resources(250, 1L << 30);

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final AtomicLong requested = new AtomicLong();

    /** Exceptions that no handler caught: each is a defect. */
    final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    private final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    private final HealthVerticle ops;
    private final GatewayVerticle agent;
    private final VmMetricsVerticle vmMetrics;
    private final DumpVerticle dump;
    private final ConsoleVerticle console;

    /** The listeners. */
    enum Kind {
        AGENT,
        OPS,
        VM_METRICS,
        DUMP,
        CONSOLE
    }

    /** @param config addresses of the listeners, and their admission */
    Listeners(Vertx vertx, ListenerConfig config) {
        vertx.exceptionHandler(uncaught::add);
        var defaults = GatewayConfig.DEFAULTS;
        ops = new HealthVerticle(config, shell, format -> "up 1\n");
        vmMetrics = new VmMetricsVerticle(config, shell, format -> "up 1\n");
        dump = new DumpVerticle(config, shell);
        console = new ConsoleVerticle(
                new ConsoleListenerConfig(
                        config.host(), config.port(), config.insecure(), config.tls(), config.tokenFile(), List.of()),
                shell,
                new ConsoleProcess("", List.of(), Instant.EPOCH, () -> "{}"));
        agent = new GatewayVerticle(
                new GatewayConfig(
                        agents(config),
                        defaults.ops(),
                        defaults.vmMetrics(),
                        defaults.dump(),
                        defaults.extender(),
                        defaults.console()),
                shell);
        var bus = new Bus(vertx);
        bus.serve(LedgerAddresses.PERMIT, request -> Future.succeededFuture(granted(request)))
                .await();
        bus.serve(LedgerAddresses.OPEN, opening -> Future.succeededFuture(new OpenReply.Opened(1, UNIT, false)))
                .await();
        for (var verticle : List.of(ops, vmMetrics, dump, console, agent)) {
            vertx.deployVerticle(verticle).await();
        }
        bus.publish(ClusterAddresses.POD_OBSERVED, new PodObserved("pod", "default", "plain", "n1", "", 1, UNIT, 0));
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, 1, 0));
    }

    /** Limits so high that a busy machine rejects nothing: a reply must be the same each time. */
    private static AgentListenerConfig agents(ListenerConfig config) {
        var usual = AgentListenerConfig.DEFAULTS;
        return new AgentListenerConfig(
                config.host(),
                config.port(),
                config.insecure(),
                config.tls(),
                config.tokenFile(),
                usual.tokenReview(),
                usual.names(),
                usual.ratePerPod(),
                usual.burstPerPod(),
                usual.inFlightMax(),
                usual.connectionsMax(),
                usual.connectionsPerAddressMax(),
                usual.waitMax(),
                Duration.ofMinutes(10));
    }

    private PermitReply granted(PermitRequest request) {
        requested.incrementAndGet();
        var ruling = new KindDecision(KindDecision.Rule.GRANTED, 0, 0, 0, 0, 0, 0);
        return new PermitReply.Ruled(
                request.session(), request.seq(), request.target(), Duration.ofSeconds(10), false, ruling, ruling);
    }

    int port(Kind kind) {
        return switch (kind) {
            case AGENT -> agent.agentPort();
            case OPS -> ops.port();
            case VM_METRICS -> vmMetrics.port();
            case DUMP -> dump.port();
            case CONSOLE -> console.port();
        };
    }
}
