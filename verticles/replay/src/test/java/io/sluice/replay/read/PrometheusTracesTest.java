package io.sluice.replay.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrometheusTracesTest {
    private static final Path BINARY = Path.of("/usr/bin/prometheus");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final int HOURS = 26;
    private static final int HOUR = 3_600;
    private static final long GIBIBYTE = 1L << 30;

    @TempDir
    private Path folder;

    private static PrometheusTraces reader(URI url, Instant end, Optional<Path> token) {
        return new PrometheusTraces(
                new PrometheusSource(url, PrometheusExporter.NODE, Duration.ofHours(HOURS - 1), end, token));
    }

    /** A machine of two CPUs that are in use for 0.2 and 1.2 CPUs, hour by hour, and one GiB more memory each hour. */
    private static String recorded(long begin) {
        var text = new StringBuilder("# TYPE node_cpu_seconds counter\n");
        for (var mode : List.of("user", "idle")) {
            for (int cpu = 0; cpu < 2; cpu++) {
                double seconds = 0;
                for (int at = 0; at <= HOURS * HOUR; at += 60) {
                    text.append("node_cpu_seconds_total{instance=\"db:9100\",cpu=\"%d\",mode=\"%s\"} %s %d\n"
                            .formatted(cpu, mode, seconds, begin + at));
                    double used = at / HOUR % 2 == 0 ? 0.1 : 0.6;
                    seconds += 60 * (mode.equals("user") ? used : 1 - used);
                }
            }
        }
        text.append("# TYPE node_memory_MemTotal_bytes gauge\n");
        for (int at = 0; at <= HOURS * HOUR; at += 60) {
            text.append(
                    "node_memory_MemTotal_bytes{instance=\"db:9100\"} %d %d\n".formatted(32 * GIBIBYTE, begin + at));
        }
        text.append("# TYPE node_memory_MemAvailable_bytes gauge\n");
        for (int at = 0; at <= HOURS * HOUR; at += 60) {
            text.append("node_memory_MemAvailable_bytes{instance=\"db:9100\"} %d %d\n"
                    .formatted((31 - at / HOUR) * GIBIBYTE, begin + at));
        }
        return text.append("# EOF\n").toString();
    }

    private static int run(Path log, String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isReady(URI url) {
        try {
            var connection = (HttpURLConnection) url.resolve("/-/ready").toURL().openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void readsWhatARealPrometheusRecorded() throws Exception {
        assumeTrue(
                Files.isExecutable(BINARY) && Files.isExecutable(PROMTOOL), "Debian's package prometheus is missing");
        long begin = Instant.now().getEpochSecond() / HOUR * HOUR - HOURS * HOUR;
        var text = Files.writeString(folder.resolve("recorded.om"), recorded(begin));
        var data = folder.resolve("data");
        var log = folder.resolve("log");
        assertThat(run(
                        log,
                        PROMTOOL.toString(),
                        "tsdb",
                        "create-blocks-from",
                        "openmetrics",
                        text.toString(),
                        data.toString()))
                .as(Files.readString(log))
                .isZero();
        int port = freePort();
        var config = Files.writeString(folder.resolve("prometheus.yml"), "global: {scrape_interval: 1m}\n");
        var prometheus = new ProcessBuilder(
                        BINARY.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + data,
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            var url = URI.create("http://127.0.0.1:" + port);
            await("Prometheus").atMost(1, TimeUnit.MINUTES).until(() -> isReady(url));
            var series = reader(url, Instant.ofEpochSecond(begin + HOURS * HOUR), Optional.empty())
                    .read();

            assertThat(series).extracting(TraceSeries::kind).containsExactly(ResourceKind.CPU, ResourceKind.MEMORY);
            assertThat(series).extracting(TraceSeries::vm).containsOnly("db:9100");
            assertThat(series).extracting(TraceSeries::capacity).containsExactly(2_000.0, 32_768.0);
            assertThat(series.getFirst().samples()).hasSize((HOURS - 1) * 12);
            // The first sample is at five minutes past the second hour; these are in the midst of two hours.
            assertThat(series.getFirst().samples()[5]).isCloseTo(1_200, within(1.0));
            assertThat(series.getFirst().samples()[5 + 12]).isCloseTo(200, within(1.0));
            // Of the second day.
            assertThat(series.getFirst().samples()[5 + 24 * 12]).isCloseTo(1_200, within(1.0));
            assertThat(series.getLast().samples()[5]).isEqualTo(2 * 1_024);
        } finally {
            prometheus.destroy();
            prometheus.waitFor();
        }
    }

    /** A server that replies the same to all, and remembers what was requested. */
    private void withReply(int status, String reply, ServerTest test) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var requests = new ArrayList<String>();
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization"));
                var body = reply.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        try {
            test.on(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), requests);
        } finally {
            server.stop(0);
        }
    }

    /** A test with a server. */
    private interface ServerTest {
        void on(URI url, List<String> requests) throws Exception;
    }

    @Test
    void aRefusedQueryIsReported() throws Exception {
        withReply(
                422,
                "{\"status\":\"error\",\"error\":\"query processing would load too many samples\"}",
                (url, all) -> assertThatThrownBy(
                                () -> reader(url, Instant.EPOCH.plusSeconds(1_000_000), Optional.empty())
                                        .read())
                        .isInstanceOf(PrometheusException.class)
                        .hasMessageContaining("HTTP 422")
                        .hasMessageContaining("too many samples"));
    }

    @Test
    void whatIsNoPrometheusIsReported() throws Exception {
        withReply(
                200,
                "<html>",
                (url, all) -> assertThatThrownBy(
                                () -> reader(url, Instant.EPOCH.plusSeconds(1_000_000), Optional.empty())
                                        .read())
                        .isInstanceOf(PrometheusException.class)
                        .hasMessageContaining("is no Prometheus'"));
    }

    @Test
    void requestsAreDaysWithTheToken() throws Exception {
        var token = Files.writeString(folder.resolve("token"), "secret\n");
        withReply(200, "{\"status\":\"success\",\"data\":{\"result\":[]}}", (url, requests) -> {
            assertThat(reader(url, Instant.EPOCH.plusSeconds(1_000_000), Optional.of(token))
                            .read())
                    .isEmpty();
            // The sizes, a day and an hour, for each resource.
            assertThat(requests).hasSize(6).allMatch(request -> request.endsWith(" Bearer secret"));
            assertThat(requests)
                    .filteredOn(request -> request.contains("query_range"))
                    .hasSize(4);
        });
    }
}
