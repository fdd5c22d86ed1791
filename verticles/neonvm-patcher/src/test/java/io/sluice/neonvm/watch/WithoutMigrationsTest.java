package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Kubernetes cluster without the kind of migrations. */
@ExtendWith(VertxExtension.class)
class WithoutMigrationsTest {
    private static final String MIGRATION = """
        {"metadata":{"namespace":"default","name":"m","uid":"m1","resourceVersion":"11"},"spec":{"vmName":"db"}}\
        """;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final LinkedBlockingQueue<FullListPublished> fullLists = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<MigrationObserved> migrations = new LinkedBlockingQueue<>();
    private final AtomicBoolean installed = new AtomicBoolean();
    private final AtomicInteger requested = new AtomicInteger();

    /** The second try: the first one was evaluated by then. */
    private final CountDownLatch watchRefused = new CountDownLatch(2);

    private Bus bus;
    private KubernetesClient client;

    @BeforeEach
    void deploy(Vertx vertx) {
        bus = new Bus(vertx);
        var server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await();
        var config = KubernetesConfig.DEFAULTS.at("http://127.0.0.1:" + server.actualPort());
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        bus.serve(LedgerAddresses.LOAD_NODE, load -> Future.succeededFuture(new LoadReply(0, 0)))
                .await();
        bus.subscribe(ClusterAddresses.LISTED, fullLists::add).await();
        bus.subscribe(ClusterAddresses.MIGRATION_OBSERVED, migrations::add).await();
        client = KubernetesConnection.open(config, meters);
        vertx.deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, config, shell, client))
                .await();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void publishesEverythingElseAndWatchesNoMigrations() throws Exception {
        fullLists.take();
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
        fullLists.take();

        assertThat(requested).hasValue(2);
        assertThat(migrations).isEmpty();
        assertThat(watcher("alive", "VirtualMachineMigrations")).isZero();
    }

    @Test
    void showsWatchesThatFail() throws Exception {
        fullLists.take();
        watchRefused.await();

        assertThat(watcher("alive", "Pods")).isEqualTo(1);
        assertThat(watcher("failing", "Pods")).isEqualTo(1);
        assertThat(meters.get("autoscaling.plugin.watchers.errors")
                        .tag("source", "Watch")
                        .tag("watcher_instance", "Pods")
                        .counter()
                        .count())
                .isPositive();
    }

    private double watcher(String state, String instance) {
        return meters.get("autoscaling.plugin.watchers." + state + ".current")
                .tag("watcher_instance", instance)
                .gauge()
                .value();
    }

    @Test
    void noticesMigrationsOnceTheirKindIsInstalled() throws Exception {
        fullLists.take();
        installed.set(true);

        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        assertThat(migrations.take().uid()).isEqualTo("m1");
    }

    private void answer(HttpServerRequest request) {
        boolean aboutMigrations = request.path().endsWith("/virtualmachinemigrations");
        if (aboutMigrations) {
            requested.incrementAndGet();
        }
        if (request.getParam("watch") != null) {
            if (request.path().endsWith("/pods")) {
                watchRefused.countDown();
            }
            request.response().setStatusCode(503).end();
        } else if (aboutMigrations && !installed.get()) {
            request.response().setStatusCode(404).end("404 page not found");
        } else {
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .end("{\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[" + (aboutMigrations ? MIGRATION : "")
                            + "]}");
        }
    }
}
