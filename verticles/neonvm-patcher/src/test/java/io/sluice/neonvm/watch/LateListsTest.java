package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.core.ClusterConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A ledger accepts a list as the first one after a loss, or as one of a restored store, only if the list names what the
 * ledger replied before it was requested. There are two nodes, and the test decides when their pods are listed.
 */
@ExtendWith(VertxExtension.class)
class LateListsTest {
    private static final long FIRST = 50;
    private static final long SECOND = 51;

    private final AtomicLong version = new AtomicLong();
    private final AtomicReference<Supplier<Future<LoadReply>>> ahead = new AtomicReference<>();
    private final LinkedBlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<HttpServerRequest> pods = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<FullListPublished> through = new LinkedBlockingQueue<>();
    private ScriptedApi api;
    private KubernetesClient client;

    /** A load that the ledger received, and its reply. */
    private record Handed(LoadNode load, Promise<LoadReply> answer) {
        private void tooLate(long relist) {
            answer.complete(new LoadReply(0, 0).relist(relist));
        }

        private void taken() {
            answer.complete(new LoadReply(0, 0));
        }
    }

    @BeforeEach
    void deploy(Vertx vertx) {
        api = new ScriptedApi(vertx, Duration.ofSeconds(10), this::answer);
        var bus = new Bus(api.vertx);
        bus.serve(LedgerAddresses.LOAD_NODE, this::take).await();
        bus.subscribe(ClusterAddresses.LISTED, through::add).await();
        client = KubernetesConnection.open(api.config, api.meters);
        replies(FIRST);
        api.vertx
                .deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, api.config, api.shell, client))
                .await();
    }

    @AfterEach
    void close() {
        api.close();
        client.close();
    }

    @Test
    void aListNamesWhatWasRepliedBeforeItsPodsWereRequestedAndNothingLater() throws InterruptedException {
        var requested = pods.take();
        replies(SECOND);

        list(requested);

        assertThat(handed.take().load().relist()).contains(FIRST);
        assertThat(handed.take().load().relist()).contains(FIRST);
    }

    @Test
    @DisplayName("F12: a list that is too late is followed by one that names what the ledger replies then")
    void aListThatIsTooLateIsFollowedByOneThatNamesWhatIsRepliedThen() throws InterruptedException {
        list(pods.take());
        var first = handed.take();
        handed.take().taken();
        replies(SECOND);

        first.tooLate(SECOND);
        list(pods.take());

        assertThat(api.shell.readiness().isReady()).isFalse();
        takeBothNaming(SECOND);
        assertThat(through.take().nodes()).isEqualTo(2);
    }

    @Test
    void oneListIsWantedForAllNodesThatOneIsTooLateFor() throws InterruptedException {
        list(pods.take());
        var first = handed.take();
        var second = handed.take();
        replies(SECOND);

        first.tooLate(SECOND);
        var requested = pods.take();
        second.tooLate(SECOND);
        list(requested);
        takeBothNaming(SECOND);
        through.take();

        assertThat(wanted()).isEqualTo(1);
    }

    @Test
    void oneListIsEnoughAtAStartWhereTheLedgerWaitsForOneThatNamesItsReply() throws InterruptedException {
        list(pods.take());
        takeBothNaming(FIRST);
        through.take();

        assertThat(wanted()).isZero();
        assertThat(fullLists()).isEqualTo(1);
        assertThat(api.shell.readiness().isReady()).isTrue();
    }

    @Test
    void aLedgerThatDoesNotReplyHoldsUpNoList() throws InterruptedException {
        list(pods.take());
        var first = handed.take();
        ahead.set(() -> Future.failedFuture("no majority"));

        first.tooLate(SECOND);
        handed.take();
        list(pods.take());

        assertThat(handed.take().load().relist()).isEmpty();
        assertThat(handed.take().load().relist()).isEmpty();
    }

    private void takeBothNaming(long relist) throws InterruptedException {
        for (int node = 0; node < 2; node++) {
            var load = handed.take();
            assertThat(load.load().relist()).contains(relist);
            load.taken();
        }
    }

    private void replies(long relist) {
        ahead.set(() -> Future.succeededFuture(new LoadReply(0, 0).relist(relist)));
    }

    /** The number of full lists that were requested besides the regular ones. */
    private double wanted() {
        return api.meters.find("autoscaling.plugin.watchers.relist.requests").counters().stream()
                .mapToDouble(Counter::count)
                .max()
                .orElse(0);
    }

    private double fullLists() {
        return api.meters
                .get("sluice.cluster.full.lists")
                .tag("outcome", "done")
                .counter()
                .count();
    }

    private Future<LoadReply> take(LoadNode load) {
        if (load.isAhead()) {
            return ahead.get().get();
        }
        var answer = Promise.<LoadReply>promise();
        handed.add(new Handed(load, answer));
        return answer.future();
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
        var nodes = request.path().endsWith("/nodes")
                ? "{\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"1\"}},"
                        + "{\"metadata\":{\"name\":\"n2\",\"resourceVersion\":\"1\"}}"
                : "";
        request.response()
                .putHeader("Content-Type", "application/json")
                .end("{\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                        .formatted(version.incrementAndGet(), nodes));
    }
}
