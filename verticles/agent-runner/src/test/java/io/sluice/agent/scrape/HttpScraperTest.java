package io.sluice.agent.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.Exposition;
import io.sluice.agent.Surroundings;
import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.scrape.ScrapeMetrics.Target;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.shell.EndlessServer;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(VertxExtension.class)
class HttpScraperTest {
    private static final VmPod POD = new VmPod(new VmId("neonvm", "ns", "vm", "u"), "n", "p", "pod");
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int MANY = 1_000;

    private static final HttpScraper.Limits LIMITS = new HttpScraper.Limits(
            Surroundings.CONFIG.scrapeMaxSize(),
            Surroundings.CONFIG.scrapeTimeout(),
            Surroundings.CONFIG.scrapeConnections(),
            Duration.ofSeconds(1));

    private final Exposition metrics = new Exposition();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final List<HttpServerRequest> held = new ArrayList<>();
    private Vertx vertx;
    private HttpServer server;
    private HttpScraper scraper;
    private VmScraper probes;

    @BeforeEach
    void start(Vertx given) throws Exception {
        vertx = given;
        server = vertx.createHttpServer()
                .connectionHandler(connection -> {
                    opened.incrementAndGet();
                    open.incrementAndGet();
                    connection.closeHandler(closed -> open.decrementAndGet());
                })
                .requestHandler(this::answer)
                .listen(0)
                .await();
        scraper = new HttpScraper(vertx, LIMITS);
        probes = probes(SHORT);
    }

    private VmScraper probes(Duration timeout) {
        return new VmScraper(scraper, GuestMetricNames.VECTOR, timeout, new ScrapeMetrics(metrics.registry));
    }

    private void answer(HttpServerRequest request) {
        var response = request.response();
        var good = Surroundings.text(1);
        switch (request.path()) {
            case "/good" -> response.end(good);
            case "/good-in-parts" -> {
                response.setChunked(true).write(good.substring(0, 30));
                vertx.setTimer(20, later -> response.end(good.substring(30)));
            }
            case "/good-and-closed" -> response.putHeader("Connection", "close").end(good);
            case "/long" -> response.end(good + "#".repeat(1 << 17));
            case "/endless" -> flood(response.setChunked(true));
            case "/half" -> response.setChunked(true).write("# TYPE host_load1 gauge\n");
            case "/drip" -> {
                response.setChunked(true);
                vertx.setPeriodic(50, each -> response.write("#"));
            }
            case "/silent" -> {}
            case "/reset" -> request.connection().close();
            case "/reset-within" ->
                response.setChunked(true)
                        .write(good)
                        .onComplete(written -> request.connection().close());
            case "/short-of-its-length" ->
                response.putHeader("Content-Length", "5000")
                        .write(good)
                        .onComplete(written -> request.connection().close());
            case "/moved" ->
                response.setStatusCode(302).putHeader("Location", "/good").end();
            case "/zipped" -> response.putHeader("Content-Encoding", "gzip").end("whatever");
            case "/html" -> response.end("<html></html>\n");
            case "/nan" -> response.end(good.replace("host_load1 1.0", "host_load1 NaN"));
            case "/infinite" -> response.end(good.replace("host_load1 1.0", "host_load1 +Inf"));
            case "/counter" -> response.end(good.replace("host_load1 gauge", "host_load1 counter"));
            case "/twice" -> response.end(good + "host_load1{cpu=\"1\"} 2\n");
            case "/less" -> response.end(good.replaceAll("(?m)^host_load1 .*\n", ""));
            case "/empty" -> response.end();
            case "/held" -> hold(request);
            default -> response.setStatusCode(404).end();
        }
    }

    private static void flood(HttpServerResponse response) {
        response.write("# ".repeat(1 << 10) + "\n").onSuccess(written -> flood(response));
    }

    /** No request gets its response before all requests have arrived. */
    private void hold(HttpServerRequest request) {
        synchronized (held) {
            held.add(request);
            if (held.size() == MANY) {
                held.forEach(each -> each.response().end(Surroundings.text(1)));
                held.clear();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/good, ok",
        "/good-in-parts, ok",
        "/good-and-closed, ok",
        "/silent, late",
        "/half, late",
        "/drip, late",
        "/reset, broken",
        "/reset-within, broken",
        "/short-of-its-length, broken",
        "/none, status",
        "/moved, status",
        "/long, too_long",
        "/endless, too_long",
        "/zipped, malformed",
        "/html, missing",
        "/nan, not_finite",
        "/infinite, not_finite",
        "/counter, wrong_type",
        "/twice, wrong_type",
        "/less, missing",
        "/empty, missing"
    })
    void countsEachKindOfScrapeAndGoesOnAfterIt(String path, String outcome) throws Exception {
        var patient = outcome.equals("late") ? probes : probes(LONG);
        assertThat(isRead(patient, path)).isEqualTo(outcome.equals("ok"));
        assertThat(count(Target.SYSTEM, outcome)).as(outcome).isEqualTo(1);
        assertThat(isRead(probes(LONG), "/good"))
                .as("the one connection to this VM can be used again, or another is made")
                .isTrue();
        assertThat(count(Target.SYSTEM, "ok")).isEqualTo(outcome.equals("ok") ? 2 : 1);
    }

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(403));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void aVmWithAReplyThatDoesNotEndIsCutOff(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer)) {
            assertThat(isRead(probes(LONG), new Endpoint("127.0.0.1", server.port(), "/")))
                    .isFalse();
            await().atMost(LONG).until(() -> server.open() == 0);
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    @Test
    void aVmWithoutAListenerIsRefused() throws Exception {
        assertThat(isRead(probes(LONG), new Endpoint("127.0.0.1", LoopbackPorts.next(), "/")))
                .isFalse();
        assertThat(count(Target.SYSTEM, "refused")).isEqualTo(1);
    }

    @Test
    void aVmThatSpeaksSomethingElseThanHttpIsBroken() throws Exception {
        NetServer other = vertx.createNetServer()
                .connectHandler(socket -> socket.handler(request -> socket.write("SSH-2.0-OpenSSH_9.2\r\n")))
                .listen(0)
                .await();
        assertThat(isRead(probes(LONG), new Endpoint("127.0.0.1", other.actualPort(), "/")))
                .isFalse();
        assertThat(count(Target.SYSTEM, "broken")).isEqualTo(1);
    }

    @Test
    void countsTheFileCachesScrapesApart() throws Exception {
        var scrape = new RunnerAction.ScrapeLfc(1, endpoint("127.0.0.1", "/good"), LONG);
        probes.read(scrape).await();
        assertThat(count(Target.CACHE, "missing")).isEqualTo(1);
        assertThat(count(Target.SYSTEM, "missing")).isZero();
        var none = new RunnerAction.ScrapeLfc(2, endpoint("127.0.0.1", "/none"), LONG);
        probes.read(none).otherwiseEmpty().await();
        assertThat(count(Target.CACHE, "status")).isEqualTo(1);
    }

    @Test
    void keepsOneConnectionFromScrapeToScrape() throws Exception {
        scraper = new HttpScraper(vertx, patient(LONGEST));
        for (int i = 0; i < 20; i++) {
            assertThat(isRead(probes(LONG), "/good")).isTrue();
        }
        assertThat(opened).hasValue(1);
    }

    /** All of loopback's addresses reach the same server, each as a VM of its own. */
    @Test
    void noneOfAThousandVmsWaitsForAnother() throws Exception {
        scraper = new HttpScraper(vertx, patient(LIMITS.kept()));
        for (int round = 0; round < 2; round++) {
            List<Future<RunnerEvent>> scrapes = new ArrayList<>();
            for (int vm = 0; vm < MANY; vm++) {
                var host = "127.1." + vm / 250 + "." + (vm % 250 + 1);
                scrapes.add(probes(LONGEST).read(new RunnerAction.Scrape(vm, POD, endpoint(host, "/held"))));
            }
            Future.join(scrapes).await();
            assertThat(count(Target.SYSTEM, "ok")).isEqualTo(MANY * (round + 1));
        }
        await().untilAsserted(() ->
                assertThat(open).as("VMs that are not scraped any more").hasValue(0));
    }

    private static HttpScraper.Limits patient(Duration kept) {
        return new HttpScraper.Limits(LIMITS.maxBytes(), LONGEST, LIMITS.connections(), kept);
    }

    private boolean isRead(VmScraper by, String path) throws Exception {
        return isRead(by, endpoint("127.0.0.1", path));
    }

    private boolean isRead(VmScraper by, Endpoint endpoint) throws Exception {
        var event = by.read(new RunnerAction.Scrape(1, POD, endpoint))
                .otherwise(lost -> new RunnerEvent.RequestFailed(1, lost.getMessage()))
                .await();
        return event instanceof RunnerEvent.Scraped(var _, MetricsReading.Read _);
    }

    private Endpoint endpoint(String host, String path) {
        return new Endpoint(host, server.actualPort(), path);
    }

    private double count(Target target, String outcome) {
        var name = target == Target.SYSTEM ? "system" : "cache";
        return metrics.of("sluice_agent_scrapes_total{outcome=\"" + outcome + "\",target=\"" + name + "\"}");
    }
}
