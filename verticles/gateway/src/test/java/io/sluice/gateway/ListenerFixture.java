package io.sluice.gateway;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.gateway.core.PodObservations;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A gateway on a free port before a stand-in ledger. VMs {@code a} and {@code b} run on node {@code n1},
 * {@code waiting} has no node, {@code unheard} is a pod whose VM was not observed, and {@code plain} a pod without one.
 */
public final class ListenerFixture {
    public final Vertx vertx;
    public final Bus bus;
    public final StandInLedger ledger = new StandInLedger(PodObservations.UNIT.times(8));
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    public final GatewayVerticle gateway;

    /** The token of requests from now on; none if it is empty. */
    volatile String token = "";

    private final HttpClient client = HttpClient.newHttpClient();

    public ListenerFixture(Vertx vertx) {
        this(vertx, limits(1_000_000, 1_000_000, 512));
    }

    public ListenerFixture(Vertx vertx, AgentListenerConfig config) {
        this(vertx, config, Optional.empty());
    }

    public ListenerFixture(Vertx vertx, AgentListenerConfig config, Optional<TokenReviewer> reviewer) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        gateway = new GatewayVerticle(with(config), shell, reviewer);
        ledger.serve(bus).compose(served -> vertx.deployVerticle(gateway)).await();
    }

    public static GatewayConfig with(AgentListenerConfig agent) {
        var all = GatewayConfig.DEFAULTS;
        return new GatewayConfig(agent, all.ops(), all.vmMetrics(), all.dump(), all.extender(), all.console());
    }

    public static AgentListenerConfig limits(int rate, int burst, int inFlight) {
        return limits(rate, burst, inFlight, TokenReviewConfig.DEFAULTS);
    }

    public static AgentListenerConfig limits(int rate, int burst, int inFlight, TokenReviewConfig tokenReview) {
        return limits(rate, burst, inFlight, tokenReview, Duration.ofSeconds(5));
    }

    static AgentListenerConfig limits(
            int rate, int burst, int inFlight, TokenReviewConfig tokenReview, Duration lagMax) {
        return new AgentListenerConfig(
                "127.0.0.1",
                0,
                false,
                TlsFiles.NONE,
                "",
                tokenReview,
                List.of("proxy.example"),
                rate,
                burst,
                inFlight,
                4096,
                1024,
                Duration.ofSeconds(2),
                lagMax);
    }

    /** Publishes the observations and waits until the gateway has received them. */
    public ListenerFixture listed() {
        for (var vm : new String[] {"a", "b"}) {
            bus.publish(ClusterAddresses.POD_OBSERVED, PodObservations.pod(vm, "n1", 1));
            bus.publish(ClusterAddresses.VM_OBSERVED, PodObservations.vm(vm, "n1", 1));
        }
        bus.publish(ClusterAddresses.VM_OBSERVED, PodObservations.vm("waiting", "", 1));
        bus.publish(ClusterAddresses.POD_OBSERVED, PodObservations.pod("unheard", "n1", 1));
        bus.publish(ClusterAddresses.POD_OBSERVED, PodObservations.plainPod("plain", "n1"));
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, 4, 3));
        until(() -> post(body("plain", 1, "")).statusCode() == 400);
        return this;
    }

    public static String body(String pod, long units, String more) {
        return PodObservations.body("x", units, more).replace("\"x-0\"", "\"" + pod + "\"");
    }

    public HttpResponse<String> post(String body) throws Exception {
        return send(HttpRequest.BodyPublishers.ofString(body));
    }

    public HttpResponse<String> post(byte[] body) throws Exception {
        return send(HttpRequest.BodyPublishers.ofByteArray(body));
    }

    CompletableFuture<HttpResponse<String>> posting(String body) {
        var request = request("POST", HttpRequest.BodyPublishers.ofString(body));
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> with(String method) throws IOException, InterruptedException {
        return client.send(
                request(method, HttpRequest.BodyPublishers.ofString("{}")), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> send(HttpRequest.BodyPublisher body) throws Exception {
        return client.send(request("POST", body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String method, HttpRequest.BodyPublisher body) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.agentPort() + "/any/path"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20))
                .method(method, body);
        return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
    }

    /** What happens while a request is held; returns whether that request had its reply in time. */
    interface Scenario {
        boolean inTime(ListenerFixture listener) throws Exception;
    }

    /**
     * Plays a scenario, each time with a new gateway, until its request had its reply in time. A permit request lasts a
     * second, and a busy machine may hold one for longer.
     */
    static void untilInTime(AgentListenerConfig config, Scenario scenario) {
        until(() -> {
            var vertx = Vertx.vertx();
            try {
                return scenario.inTime(new ListenerFixture(vertx, config).listed());
            } finally {
                vertx.close().await();
            }
        });
    }

    double inFlight() {
        return meters.get("sluice.gateway.agent.inflight").gauge().value();
    }

    /** Repeats until a condition holds; a minute at most. */
    public static void until(Callable<Boolean> condition) {
        await().dontCatchUncaughtExceptions()
                .atMost(60, TimeUnit.SECONDS)
                .pollInterval(10, TimeUnit.MILLISECONDS)
                .until(condition);
    }
}
