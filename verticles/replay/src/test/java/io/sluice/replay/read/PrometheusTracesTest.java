package io.sluice.replay.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.shell.EndlessServer;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PrometheusTracesTest {
    private static final Path BINARY = Path.of("/usr/bin/prometheus");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final int HOURS = 26;
    private static final int HOUR = 3_600;
    private static final int PAST_SECONDS = 660;
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
        withPrometheus("global: {scrape_interval: 1m}\n", url -> {
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
        });
    }

    /** What is done with a Prometheus. */
    private interface PrometheusUse {
        void of(URI url) throws Exception;
    }

    /** A real Prometheus on the data in the folder. */
    private void withPrometheus(String config, PrometheusUse use) throws Exception {
        int port = LoopbackPorts.next();
        var prometheus = new ProcessBuilder(
                        BINARY.toString(),
                        "--config.file=" + Files.writeString(folder.resolve("prometheus.yml"), config),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            var url = URI.create("http://127.0.0.1:" + port);
            await("Prometheus").atMost(1, TimeUnit.MINUTES).until(() -> isReady(url));
            use.of(url);
        } finally {
            prometheus.destroy();
            prometheus.waitFor();
        }
    }

    /**
     * A page as the kubelet serves it at {@code /metrics/cadvisor}: a pod with two containers, and one without limits.
     */
    private static String cadvisor(double seconds) {
        var text = new StringBuilder();
        container(text, "db-0", "postgres", seconds * 0.5, 100_000, 1_500, 4_096);
        container(text, "db-0", "exporter", seconds * 0.1, 50_000, 100, 1_024);
        container(text, "free", "job", seconds * 0.2, 0, 10, 0);
        // The pause container, and the cgroup of the pod, which has the sum.
        series(text, "container_cpu_usage_seconds_total", "POD", "db-0", seconds * 0.01);
        series(text, "container_cpu_usage_seconds_total", "", "db-0", seconds * 0.61);
        series(text, "container_memory_working_set_bytes", "", "db-0", 1_601 << 20);
        return text.toString();
    }

    private static void container(
            StringBuilder text, String pod, String name, double used, int quota, int mebibytes, long limit) {
        series(text, "container_cpu_usage_seconds_total", name, pod, used);
        series(text, "container_memory_working_set_bytes", name, pod, mebibytes << 20);
        series(text, "container_spec_cpu_period", name, pod, 100_000);
        series(text, "container_spec_memory_limit_bytes", name, pod, limit << 20);
        if (quota > 0) {
            series(text, "container_spec_cpu_quota", name, pod, quota);
        }
    }

    private static void series(StringBuilder text, String metric, String container, String pod, double value) {
        text.append(
                "%s{container=\"%s\",id=\"/kubepods.slice/%s/%s\",image=\"i\",name=\"n\",namespace=\"prod\",pod=\"%s\"} %s%n"
                        .formatted(metric, container, pod, container, pod, value));
    }

    /** A page as virt-handler serves it, of a VM that migrates: both nodes report it. */
    private static String kubevirt(double seconds) {
        var text = new StringBuilder();
        for (var node : List.of("n1", "n2")) {
            var vm = "name=\"db\",namespace=\"prod\",node=\"%s\"".formatted(node);
            double share = node.equals("n1") ? 0.75 : 0;
            text.append("kubevirt_vmi_cpu_usage_seconds_total{%s} %s%n".formatted(vm, seconds * share));
            for (int id = 0; id < 2; id++) {
                text.append("kubevirt_vmi_vcpu_seconds_total{%s,id=\"%d\",state=\"running\"} %s%n"
                        .formatted(vm, id, seconds * share / 2));
            }
            text.append("kubevirt_vmi_memory_used_bytes{%s} %d%n".formatted(vm, 3L << 30));
            text.append("kubevirt_vmi_memory_domain_bytes{%s} %d%n".formatted(vm, 8L << 30));
        }
        return text.toString();
    }

    /**
     * The series that are read of a real Prometheus that scrapes such a page, whose counters are of so many seconds.
     */
    private List<TraceSeries> scraped(PrometheusExporter exporter, DoubleFunction<String> page) throws Exception {
        assumeTrue(Files.isExecutable(BINARY), "Debian's package prometheus is missing");
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            try (exchange) {
                var body = withPast(page).getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        var found = new ArrayList<TraceSeries>();
        try {
            withPrometheus(
                    """
                    global: {scrape_interval: 1s, scrape_timeout: 1s}
                    scrape_configs:
                      - {job_name: page, static_configs: [{targets: ["127.0.0.1:%d"]}]}
                    """.formatted(server.getAddress().getPort()),
                    url -> await("samples")
                            .atMost(1, TimeUnit.MINUTES)
                            .ignoreExceptions()
                            .until(() -> {
                                var source = new PrometheusSource(
                                        url, exporter, Duration.ofHours(1), Instant.now(), Optional.empty());
                                found.clear();
                                found.addAll(new PrometheusTraces(source).read());
                                return found.size() == 2 && latest(found.getFirst()) > 0;
                            }));
        } finally {
            server.stop(0);
        }
        return found;
    }

    /** The page as it was in the last minutes, and as it is; its counters began at midnight of 1970. */
    private static String withPast(DoubleFunction<String> page) {
        long now = System.currentTimeMillis() / 1_000 * 1_000;
        var text = new StringBuilder();
        for (long at = now - PAST_SECONDS * 1_000; at < now; at += 15_000) {
            text.append(page.apply(at / 1e3).replace("\n", " " + at + "\n"));
        }
        return text + page.apply(now / 1e3);
    }

    private static double latest(TraceSeries series) {
        return Arrays.stream(series.samples())
                .filter(sample -> !Double.isNaN(sample))
                .reduce(0, (before, sample) -> sample);
    }

    @Test
    void readsPodsFromWhatCadvisorExports() throws Exception {
        var series = scraped(PrometheusExporter.CADVISOR, PrometheusTracesTest::cadvisor);

        assertThat(series).extracting(TraceSeries::vm).containsOnly("prod/db-0");
        assertThat(series).extracting(TraceSeries::capacity).containsExactly(1_500.0, 5_120.0);
        assertThat(latest(series.getFirst())).isCloseTo(600, within(1.0));
        assertThat(latest(series.getLast())).isEqualTo(1_600);
    }

    @Test
    void readsVmsFromWhatKubeVirtExports() throws Exception {
        var series = scraped(PrometheusExporter.KUBEVIRT, PrometheusTracesTest::kubevirt);

        assertThat(series).extracting(TraceSeries::vm).containsOnly("prod/db");
        assertThat(series).extracting(TraceSeries::capacity).containsExactly(2_000.0, 8_192.0);
        assertThat(latest(series.getFirst())).isCloseTo(750, within(1.0));
        assertThat(latest(series.getLast())).isEqualTo(3 * 1_024);
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

    private static PrometheusTraces reader(EndlessServer server, Duration deadline) {
        var url = URI.create("http://127.0.0.1:" + server.port());
        var source = new PrometheusSource(
                url, PrometheusExporter.NODE, Duration.ofHours(1), Instant.EPOCH.plusSeconds(10_000), Optional.empty());
        return new PrometheusTraces(source, deadline);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReplyThatStopsAfterItsHeadersIsAwaitedUntilTheDeadlineOnly() throws Exception {
        var head = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{";
        try (var server = new EndlessServer(new EndlessServer.Answer("stopped", head, ""))) {
            assertThatThrownBy(reader(server, Duration.ofMillis(500))::read)
                    .isInstanceOf(PrometheusException.class)
                    .hasMessageContaining("no whole reply");
            await("the connection's end").until(() -> server.open() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("endless")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReplyWithoutAnEndIsCutOff(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer)) {
            assertThatThrownBy(reader(server, Duration.ofMinutes(1))::read)
                    .isInstanceOf(PrometheusException.class)
                    .hasMessageContaining("larger than 64 MiB");
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    static Stream<EndlessServer.Answer> endless() {
        return EndlessServer.answers(200).filter(answer -> answer.name().contains("body"));
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
