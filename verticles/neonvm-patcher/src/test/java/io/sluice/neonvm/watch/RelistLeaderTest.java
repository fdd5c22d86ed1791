package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.observed.ClusterVisibility;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two processes that list the same Kubernetes cluster, each through its own path to an API server that withholds pods.
 */
@ExtendWith(VertxExtension.class)
class RelistLeaderTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration LONG = ClusterVisibility.BLIND_AFTER.plusSeconds(1);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final List<LoadNode> loads = new CopyOnWriteArrayList<>();
    private final List<ListerWithoutView> reported = new CopyOnWriteArrayList<>();
    private final List<FullListPublished> listed = new CopyOnWriteArrayList<>();
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final AtomicLong version = new AtomicLong(10);
    private ScriptedApi api;
    private Lister first;
    private Lister second;

    /**
     * A process with the role. Only the test advances its clock, so that no report lapses, and nothing is waited out,
     * on a slow machine.
     */
    private final class Lister implements InstantSource {
        private final FakePeers peers;
        private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        private final List<HttpServerResponse> podWatches = new CopyOnWriteArrayList<>();
        private final List<Runnable> held = new CopyOnWriteArrayList<>();
        private final Shell shell;
        private volatile Duration ahead = Duration.ZERO;
        private volatile boolean withoutPods;
        private volatile boolean holds;

        private Lister(String id) {
            peers = new FakePeers(id, "cluster");
            shell = new Shell(this, meters, new Readiness(), new Random(1)).among(peers);
        }

        @Override
        public Instant instant() {
            return START.plus(ahead);
        }

        private void start() {
            var server = api.vertx
                    .createHttpServer()
                    .requestHandler(this::answer)
                    .listen(0, "127.0.0.1")
                    .await();
            // Advancing the clock must not make watches silent.
            var config = new KubernetesConfig(
                    "http://127.0.0.1:" + server.actualPort(),
                    "",
                    "",
                    Duration.ofSeconds(10),
                    Duration.ofMinutes(5),
                    Duration.ofDays(30),
                    10);
            var client = KubernetesConnection.open(config, meters);
            clients.add(client);
            api.vertx
                    .deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, config, shell, client))
                    .await();
        }

        private String id() {
            return peers.self().id();
        }

        private boolean isBlind() {
            return meters.get("sluice.cluster.blind").gauge().value() == 1;
        }

        private double stoodOff() {
            return meters.get("sluice.kubernetes.leadership.yields").counter().count();
        }

        /** It has one node, with its own name. */
        private void answer(HttpServerRequest request) {
            if (withoutPods && request.path().endsWith("/pods")) {
                request.response().setStatusCode(403).end("{}");
            } else if (request.getParam("watch") != null) {
                var response = request.response().setChunked(true);
                response.writeHead();
                if (request.path().endsWith("/pods")) {
                    podWatches.add(response);
                }
            } else {
                long now = version.incrementAndGet();
                var node = "{\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"1\"}}".formatted(id());
                var items = request.path().endsWith("/nodes") ? node : "";
                Runnable answer = () -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end("{\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}".formatted(now, items));
                if (holds && request.path().endsWith("/pods")) {
                    held.add(answer);
                } else {
                    answer.run();
                }
            }
        }
    }

    @BeforeEach
    void pair(Vertx vertx) {
        api = new ScriptedApi(
                vertx,
                Duration.ofSeconds(10),
                request -> request.response().setStatusCode(404).end());
        var bus = new Bus(api.vertx);
        bus.serve(LedgerAddresses.LOAD_NODE, load -> {
                    if (load.isAhead()) {
                        return Future.succeededFuture(new LoadReply(0, 0));
                    }
                    loads.add(load);
                    return Future.succeededFuture(new LoadReply(0, 0));
                })
                .await();
        bus.subscribe(ClusterAddresses.LISTED, listed::add).await();
        bus.subscribe(ClusterAddresses.LISTER_BLIND, reported::add).await();
        first = new Lister("c1");
        second = new Lister("c2");
        first.peers.observes(second.peers.self());
        second.peers.observes(first.peers.self());
        if (!new Assignment(first.peers, "cluster").mine("listing")) {
            var other = first;
            first = second;
            second = other;
        }
    }

    @AfterEach
    void close() {
        api.close();
        clients.forEach(KubernetesClient::close);
    }

    private List<String> loaded() {
        return loads.stream().map(load -> load.node().node()).toList();
    }

    /** Waits until it has checked in between. */
    private void awaitReportedTwice() {
        int before = reported.size();
        awaitUntil(() -> reported.size() >= before + 2);
        assertThat(reported).allSatisfy(blind -> assertThat(blind.member()).isEqualTo(first.id()));
    }

    private static void awaitUntil(Callable<Boolean> holds) {
        await().atMost(TIMEOUT).until(holds);
    }

    @Test
    void whenLongUnableToListItLeavesTheLeadToOneThatCanUntilItObservesAllForAWhile() {
        first.withoutPods = true;
        first.start();
        second.start();
        awaitUntil(second.shell.readiness()::isReady);
        assertThat(loads).isEmpty();
        awaitUntil(() -> first.shell.readiness().reasons().get("cluster").contains("/api/v1/pods cannot be listed"));

        first.ahead = LONG;
        awaitUntil(() -> !listed.isEmpty());
        assertThat(loaded()).containsExactly(second.id());
        awaitUntil(() -> first.shell.readiness().reasons().containsKey("listing"));
        assertThat(first.shell.readiness().reasons().get("listing"))
                .contains(second.id() + " leads", "/api/v1/pods cannot be listed", "403");
        assertThat(first.isBlind()).isTrue();
        assertThat(first.stoodOff()).isEqualTo(1);

        first.withoutPods = false;
        awaitUntil(() -> !first.shell.readiness().reasons().containsKey("cluster"));
        awaitReportedTwice();
        assertThat(loaded()).containsExactly(second.id());
        first.ahead = LONG.multipliedBy(3);
        awaitUntil(() -> loaded().equals(List.of(second.id(), first.id())));
        awaitUntil(first.shell.readiness()::isReady);
        assertThat(second.stoodOff()).isZero();
    }

    /** A refused watch is a part of the Kubernetes cluster that is not seen. */
    @Test
    void aProcessThatReceivesNoChangesForLongLeavesTheLead() {
        first.start();
        awaitUntil(() -> !listed.isEmpty());
        second.start();
        awaitUntil(second.shell.readiness()::isReady);
        first.withoutPods = true;
        first.podWatches.forEach(HttpServerResponse::reset);
        awaitUntil(() -> first.meters
                        .get("autoscaling.plugin.watchers.failing.current")
                        .tag("watcher_instance", "Pods")
                        .gauge()
                        .value()
                == 1);

        // It counts from its next look.
        awaitUntil(() -> {
            first.ahead = first.ahead.plus(LONG);
            return loaded().contains(second.id());
        });
    }

    @Test
    void whereNoProcessObservesTheClusterTheLeadStaysAndNoneIsSentAway() {
        first.withoutPods = true;
        second.withoutPods = true;
        first.start();
        second.start();
        first.ahead = LONG;
        second.ahead = LONG;
        awaitUntil(() -> first.isBlind() && second.isBlind());
        awaitUntil(() -> !first.shell.readiness().reasons().containsKey("listing"));

        first.withoutPods = false;
        second.withoutPods = false;
        awaitUntil(() -> !listed.isEmpty());
        assertThat(loaded()).containsExactly(first.id());
        assertThat(first.isBlind()).isTrue();
        assertThat(first.shell.readiness().isReady()).isTrue();
    }

    /** Other processes have delivered newer lists since: the ledger would treat this one as a restored store. */
    @Test
    void aFullListThatWasBegunBeforeTheLeadIsNotHandedOver() {
        second.holds = true;
        second.start();
        awaitUntil(() -> !second.held.isEmpty());
        long held = version.get();

        second.peers.observes();
        second.holds = false;
        second.held.forEach(Runnable::run);
        awaitUntil(() -> !loads.isEmpty());
        assertThat(loads).allSatisfy(load -> assertThat(load.version()).isGreaterThan(held));
        awaitUntil(() -> !listed.isEmpty());
        assertThat(second.shell.readiness().isReady()).isTrue();
    }
}
