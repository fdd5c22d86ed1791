package io.sluice.neonvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A ledger that knows a newer listing than the store has: only one that is begun after that was heard may say so. */
class StorePutBackTest {
    private static final long PATIENCE_S = 30;
    private static final long KNOWN = 50;

    private final AtomicLong version = new AtomicLong(KNOWN - 20);
    private final LinkedBlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<HttpServerRequest> pods = new LinkedBlockingQueue<>();
    private ToldApi api;
    private Bus bus;
    private KubernetesClient client;

    /** What a ledger was asked to take, and its answer. */
    private record Handed(LoadNode load, Promise<LoadReply> answer) {
        private void behind() {
            answer.complete(new LoadReply(0, 0).behind(KNOWN));
        }

        private void taken() {
            answer.complete(new LoadReply(0, 0));
        }
    }

    @BeforeEach
    void deploy() throws InterruptedException {
        api = new ToldApi(Duration.ofSeconds(10), this::answer);
        bus = new Bus(api.vertx);
        ToldApi.done(bus.serve(LedgerAddresses.LOAD_NODE, this::take));
        client = KubernetesConnection.open(api.config, api.meters);
        ToldApi.done(
                api.vertx.deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, api.config, api.shell, client)));
        listPods();
    }

    @AfterEach
    void close() {
        api.close();
        client.close();
    }

    @Test
    void isSaidByTheNextListingThatIsOlderAllTheSame() throws InterruptedException {
        var first = next();
        assertThat(first.load().putBackFrom()).isEmpty();

        first.behind();
        listPods();

        var second = next();
        assertThat(second.load().putBackFrom()).contains(KNOWN);
        second.taken();
        bus.publish(ClusterAddresses.RESYNC_WANTED, new ResyncWanted("test"));
        listPods();
        assertThat(next().load().putBackFrom()).as("the ledger took it").isEmpty();
    }

    @Test
    void isNotSaidWhereTheStoreHasMoreByNow() throws InterruptedException {
        var first = next();
        version.set(KNOWN + 1);

        first.behind();
        listPods();

        assertThat(next().load().putBackFrom()).isEmpty();
    }

    @Test
    void isNotSaidByAListingThatWasBegunBefore() throws InterruptedException {
        var first = next();
        bus.publish(ClusterAddresses.RESYNC_WANTED, new ResyncWanted("test"));
        var under = pods.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(under).isNotNull();

        first.behind();
        list(under);
        var second = next();
        assertThat(second.load().putBackFrom()).isEmpty();

        second.behind();
        listPods();
        assertThat(next().load().putBackFrom()).isEqualTo(Optional.of(KNOWN));
    }

    private Future<LoadReply> take(LoadNode load) {
        var answer = Promise.<LoadReply>promise();
        handed.add(new Handed(load, answer));
        return answer.future();
    }

    private Handed next() throws InterruptedException {
        var next = handed.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private void listPods() throws InterruptedException {
        var request = pods.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(request).isNotNull();
        list(request);
    }

    private void answer(HttpServerRequest request) {
        if (request.getParam("watch") != null) {
            request.response().setChunked(true).writeHead();
        } else if (request.path().endsWith("/pods")) {
            pods.add(request);
        } else {
            list(request);
        }
    }

    private void list(HttpServerRequest request) {
        var node =
                request.path().endsWith("/nodes") ? "{\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"1\"}}" : "";
        request.response()
                .putHeader("Content-Type", "application/json")
                .end("{\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                        .formatted(version.incrementAndGet(), node));
    }
}
