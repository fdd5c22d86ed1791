package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a process publishes that it receives changes of VMs: billing relies on it. */
class VmsWatchedTest {
    private static final long TIMEOUT_S = 30;
    private static final long LISTED = 10;
    private static final int BACKLOG = 12;
    private static final String BOOKMARK = """
        {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d"}}}
        """;

    private final LinkedBlockingQueue<VmsWatched> received = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<HttpServerRequest> watches = new LinkedBlockingQueue<>();
    private ScriptedApi api;
    private KubernetesClient client;

    @BeforeEach
    void deploy() {
        api = new ScriptedApi(Duration.ofSeconds(10), this::answer);
        var bus = new Bus(api.vertx);
        ScriptedApi.done(bus.serve(LedgerAddresses.LOAD_NODE, load -> Future.succeededFuture(new LoadReply(0, 0))));
        ScriptedApi.done(bus.subscribe(ClusterAddresses.VMS_WATCHED, received::add));
        client = KubernetesConnection.open(api.config, api.meters);
        ScriptedApi.done(
                api.vertx.deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, api.config, api.shell, client)));
    }

    @AfterEach
    void close() {
        api.close();
        client.close();
    }

    @Test
    void isPublishedWhileTheWatchIsOpenAndNotWhileItIsRefused() throws InterruptedException {
        next().response().setStatusCode(503).end();
        next().response().setStatusCode(503).end();
        var third = next();
        assertThat(received).isEmpty();

        opened(third);
        assertThat(reported()).isEqualTo(new VmsWatched(NeonVmKeys.DRIVER, LISTED));
    }

    /** A server continues where the watch stopped, but not within the instant in which it answers. */
    @Test
    void comesAfterWhatAWatchThatWasBrokenHadMissed() throws InterruptedException {
        var first = opened(next());
        reported();
        first.reset();
        var response = opened(next());
        received.clear();
        reportBacklog(response, LISTED + 1);

        assertThat(reported().version()).isEqualTo(LISTED + BACKLOG);
    }

    private void reportBacklog(HttpServerResponse response, long version) {
        api.vertx.setTimer(60, soon -> {
            response.write(BOOKMARK.formatted(version));
            if (version < LISTED + BACKLOG) {
                reportBacklog(response, version + 1);
            }
        });
    }

    private HttpServerRequest next() throws InterruptedException {
        var request = watches.poll(TIMEOUT_S, TimeUnit.SECONDS);
        assertThat(request).isNotNull();
        return request;
    }

    private VmsWatched reported() throws InterruptedException {
        var reported = received.poll(TIMEOUT_S, TimeUnit.SECONDS);
        assertThat(reported).isNotNull();
        return reported;
    }

    /** It begins to answer, and sends nothing yet. */
    private static HttpServerResponse opened(HttpServerRequest request) {
        var response = request.response().setChunked(true);
        ScriptedApi.done(response.writeHead());
        return response;
    }

    private void answer(HttpServerRequest request) {
        boolean vms = request.path().endsWith("/virtualmachines");
        if (request.getParam("watch") == null) {
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .end("{\"metadata\":{\"resourceVersion\":\"" + LISTED + "\"},\"items\":[]}");
        } else if (vms) {
            watches.add(request);
        } else {
            request.response().setChunked(true).writeHead();
        }
    }
}
