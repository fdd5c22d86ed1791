package io.sluice.vectors.agentscheduler;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.AgentListenerConfig;
import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.gateway.TokenReviewConfig;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.ledger.LedgerConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Plays the exchanges of one recording in order, over real sockets, with a new ledger and agent API. The VMs start as
 * they did when it was recorded.
 */
public final class ExchangePlayer implements AutoCloseable {
    private static final String OPENER = "before";
    private static final int TIMEOUT_SECONDS = 120;
    private static final String LATE = "the ledger did not reply in time";
    private static final int NO_LIMIT = 1_000_000;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Shell shell =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
    private final GatewayVerticle gateway = new GatewayVerticle(config(), shell);

    private ExchangePlayer() {}

    private void start(RecordedCluster cluster) {
        await(vertx.deployVerticle(new LedgerVerticle(LedgerConfig.DEFAULTS, shell))
                .compose(ledger -> vertx.deployVerticle(gateway))
                .compose(listener -> bus.request(LedgerAddresses.LOAD_NODE, cluster.fullList()))
                .compose(requested -> bus.request(
                        LedgerAddresses.LOAD_NODE,
                        cluster.fullList().relist(requested.relist().orElseThrow())))
                .compose(loaded ->
                        Future.all(cluster.members().stream().map(this::content).toList()))
                .compose(settled -> report(cluster)));
    }

    private static GatewayConfig config() {
        var all = GatewayConfig.DEFAULTS;
        var agent = new AgentListenerConfig(
                "127.0.0.1",
                0,
                false,
                TlsFiles.NONE,
                "",
                TokenReviewConfig.DEFAULTS,
                List.of(),
                NO_LIMIT,
                NO_LIMIT,
                NO_LIMIT,
                NO_LIMIT,
                NO_LIMIT,
                Duration.ofSeconds(2),
                Duration.ofMinutes(1));
        return new GatewayConfig(agent, all.ops(), all.vmMetrics(), all.dump(), all.extender(), all.console());
    }

    /** Plays all exchanges. */
    public static List<Played> play(List<RecordedExchange> exchanges) throws IOException {
        try (var player = new ExchangePlayer()) {
            player.start(new RecordedCluster(exchanges));
            var played = new ArrayList<Played>();
            for (var exchange : exchanges) {
                played.add(Played.of(exchange, ruling(player.gateway.agentPort(), exchange)));
            }
            return played;
        }
    }

    /** Sends an exchange again while the reply is that the ledger was late, about a second each: that is no ruling. */
    private static RecordedExchange.Answer ruling(int port, RecordedExchange exchange) throws IOException {
        var answer = RawHttp.send(port, exchange);
        for (int tries = 1; tries < TIMEOUT_SECONDS && isLate(answer); tries++) {
            answer = RawHttp.send(port, exchange);
        }
        return answer;
    }

    private static boolean isLate(RecordedExchange.Answer answer) {
        return answer.status() == 503 && answer.body().equals(LATE);
    }

    /** Reports that one unit is enough, again while the ledger does not reply in time. */
    private Future<Void> content(String pod) {
        return reportContent(pod).recover(lost -> isLate(lost) ? content(pod) : Future.failedFuture(lost));
    }

    private static boolean isLate(Throwable lost) {
        return lost instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT;
    }

    /** Reports for the VM that one unit is enough, as its agent did before the recording. */
    private Future<Void> reportContent(String pod) {
        return bus.request(LedgerAddresses.OPEN, new OpenSession(RecordedCluster.NODE, pod, OPENER, 0))
                .compose(opened -> opened instanceof OpenReply.Opened(long session, var _, boolean _)
                        ? bus.request(LedgerAddresses.PERMIT, request(pod, session))
                        : Future.failedFuture(pod + ": " + opened))
                .compose(reply -> reply instanceof PermitReply.Ruled
                        ? Future.succeededFuture()
                        : Future.failedFuture(pod + ": " + reply));
    }

    private static PermitRequest request(String pod, long session) {
        return new PermitRequest(
                RecordedCluster.NODE,
                pod,
                OPENER,
                session,
                1,
                RecordedCluster.UNIT,
                RecordedCluster.UNIT,
                Optional.of(RecordedCluster.UNIT),
                Optional.empty());
    }

    private Future<Void> report(RecordedCluster cluster) {
        var pods = cluster.podObservations();
        var vms = cluster.vmObservations();
        pods.forEach(pod -> bus.publish(ClusterAddresses.POD_OBSERVED, pod));
        vms.forEach(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm));
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, pods.size(), vms.size()));
        return ready();
    }

    private Future<Void> ready() {
        return shell.readiness().isReady()
                ? Future.succeededFuture()
                : vertx.timer(10, TimeUnit.MILLISECONDS).compose(waited -> ready());
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
