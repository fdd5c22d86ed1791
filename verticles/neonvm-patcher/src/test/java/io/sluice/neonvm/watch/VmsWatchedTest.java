package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a process publishes that it receives changes of VMs: billing relies on it. */
@ExtendWith(VertxExtension.class)
class VmsWatchedTest {
    private static final long LISTED = 10;
    private static final int BACKLOG = 12;
    private static final String BOOKMARK = """
        {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d"}}}
        """;

    private final LinkedBlockingQueue<VmsWatched> published = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<VmsWatched> received = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<VmsWatched> ofPods = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<HttpServerRequest> watches = new LinkedBlockingQueue<>();
    private ScriptedApi api;
    private KubernetesClient client;

    @BeforeEach
    void deploy(Vertx vertx) {
        api = new ScriptedApi(vertx, Duration.ofSeconds(10), this::answer);
        var bus = new Bus(api.vertx);
        bus.serve(LedgerAddresses.LOAD_NODE, load -> Future.succeededFuture(new LoadReply(0, 0)))
                .await();
        bus.subscribe(ClusterAddresses.VMS_WATCHED, watched -> {
                    published.add(watched);
                    (isOfVms(watched) ? received : ofPods).add(watched);
                })
                .await();
        client = KubernetesConnection.open(api.config, api.meters);
        api.vertx
                .deployVerticle(new ClusterVerticle(scalingPods(), api.config, api.shell, client))
                .await();
    }

    @AfterEach
    void close() {
        api.close();
        client.close();
    }

    @Test
    void isPublishedWhileTheWatchIsOpenAndNotWhileItIsRefused() throws InterruptedException {
        watches.take().response().setStatusCode(503).end();
        watches.take().response().setStatusCode(503).end();
        var third = watches.take();
        assertThat(received).isEmpty();

        opened(third);
        assertThat(received.take()).isEqualTo(new VmsWatched(NeonVmKeys.DRIVER, LISTED));
    }

    /**
     * A server continues where the watch stopped, but not within the instant in which it answers. Those of pods show
     * when the verticle looks: the first look after the opening is too early.
     */
    @Test
    void comesAfterWhatAWatchThatWasBrokenHadMissed() throws InterruptedException {
        var first = opened(watches.take());
        received.take();
        first.reset();
        var second = watches.take();
        ofPods.clear();
        ofPods.take();
        published.clear();
        received.clear();
        var response = opened(second);
        response.write(BOOKMARK.formatted(LISTED + 1));
        ofPods.take();
        response.write(restOfTheBacklog());

        // This thread may have been late with the rest, and then a version before it comes first.
        var newest = received.take();
        while (newest.version() < LISTED + BACKLOG) {
            newest = received.take();
        }
        assertThat(newest.version()).isEqualTo(LISTED + BACKLOG);
        assertThat(published.stream().takeWhile(watched -> !isOfVms(watched)))
                .as("looks before that of the first publication, and that one")
                .hasSizeGreaterThanOrEqualTo(2);
    }

    private static boolean isOfVms(VmsWatched watched) {
        return watched.driver().equals(NeonVmKeys.DRIVER);
    }

    /** The connection may carry nothing any more, which shows only after the longest silence. */
    @Test
    void isNotPublishedAfterABrokenWatchBeforeItHasReceivedSomething() throws InterruptedException {
        var response = reopened();
        assertThat(received).isEmpty();

        response.write(BOOKMARK.formatted(LISTED + 1));
        assertThat(received.take().version()).isEqualTo(LISTED + 1);
    }

    @Test
    void isPublishedAfterABrokenWatchOnceThereIsANewFullList() throws InterruptedException {
        reopened();
        assertThat(received).isEmpty();

        new Bus(api.vertx).publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("a test"));
        assertThat(received.take().version()).isEqualTo(LISTED);
    }

    /** After a break; those of pods come every second, right before those of VMs. */
    private HttpServerResponse reopened() throws InterruptedException {
        opened(watches.take()).reset();
        var response = opened(watches.take());
        received.clear();
        ofPods.clear();
        for (int second = 0; second < 4; second++) {
            ofPods.take();
        }
        return response;
    }

    private static ClusterConfig scalingPods() {
        var usual = ClusterConfig.DEFAULTS;
        return new ClusterConfig(
                usual.schedulerName(),
                usual.metricsPort(),
                usual.metricsPath(),
                usual.lfcPort(),
                usual.lfcPath(),
                usual.monitorPort(),
                usual.monitorPath(),
                usual.reclaimAfter(),
                usual.ignoredNamespaces(),
                usual.testingLabels(),
                true,
                usual.zones(),
                usual.nodeMetricLabels());
    }

    private static String restOfTheBacklog() {
        return LongStream.rangeClosed(LISTED + 2, LISTED + BACKLOG)
                .mapToObj(BOOKMARK::formatted)
                .collect(Collectors.joining());
    }

    /** It begins to answer, and sends nothing yet. */
    private static HttpServerResponse opened(HttpServerRequest request) {
        var response = request.response().setChunked(true);
        response.writeHead().await();
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
