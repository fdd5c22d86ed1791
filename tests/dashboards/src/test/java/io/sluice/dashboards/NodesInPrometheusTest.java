package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.placement.core.utilisation.NodeMetrics;
import io.sluice.placement.prometheus.PrometheusConfig;
import io.sluice.placement.prometheus.PrometheusReader;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a real Prometheus answers the queries of placement as placement reads them. Method: a listener has the metrics
 * of node_exporter and of NVIDIA's dcgm-exporter for two nodes, with the past of their CPUs until something was read;
 * one of them is lost later.
 */
@ExtendWith(VertxExtension.class)
class NodesInPrometheusTest {
    private static final Duration WITHIN = Duration.ofSeconds(120);

    /** Longer than the range of any rate that is read. */
    private static final int PAST_SECONDS = 150;

    private final MonotonicClock clock = new MonotonicClock();
    private final long started = System.currentTimeMillis();
    private final Map<String, NodeMetrics> read = new ConcurrentHashMap<>();
    private volatile boolean lost;

    private String metrics() {
        var text = new StringBuilder();
        // Not only once: on a busy machine the first scrape may be late.
        if (read.isEmpty() && !lost) {
            for (int ago = PAST_SECONDS; ago > 0; ago -= 2) {
                text.append(idle(started - ago * 1_000L, " " + (started - ago * 1_000L)));
            }
        }
        text.append(idle(System.currentTimeMillis(), ""));
        text.append(memory("busy", 30)).append(lost ? "" : memory("idle", 80));
        return text.append(device("busy", 0, 12_000, 4_000, 80))
                .append(device("busy", 1, 0, 16_000, 0))
                .toString();
    }

    /** Of all nodes at a time; each has two CPUs. */
    private String idle(long atMs, String timestamp) {
        double seconds = PAST_SECONDS + (atMs - started) / 1e3;
        return idle("busy", seconds * 0.25, timestamp)
                + waiting("busy", seconds, timestamp)
                + (lost ? "" : idle("idle", seconds * 0.9, timestamp));
    }

    private static String waiting(String name, double seconds, String timestamp) {
        return """
            node_pressure_cpu_waiting_seconds_total{node="%s"} %f%s
            node_pressure_memory_waiting_seconds_total{node="%s"} %f%s
            """.formatted(name, seconds * 0.4, timestamp, name, seconds * 0.1, timestamp);
    }

    private static String idle(String name, double seconds, String timestamp) {
        return """
            node_cpu_seconds_total{node="%s",cpu="0",mode="idle"} %f%s
            node_cpu_seconds_total{node="%s",cpu="1",mode="idle"} %f%s
            """.formatted(name, seconds, timestamp, name, seconds, timestamp);
    }

    private static String memory(String name, int available) {
        return """
            node_memory_MemAvailable_bytes{node="%s"} %d
            node_memory_MemTotal_bytes{node="%s"} 100
            """.formatted(name, available, name);
    }

    private static String device(String node, int number, int used, int free, int busy) {
        var labels =
                "{node=\"%s\",gpu=\"%d\",modelName=\"Tesla V100\",UUID=\"GPU-%d\"}".formatted(node, number, number);
        return "DCGM_FI_DEV_FB_USED%s %d%nDCGM_FI_DEV_FB_FREE%s %d%n".formatted(labels, used, labels, free)
                + "DCGM_FI_DEV_GPU_UTIL%s %d%nDCGM_FI_DEV_MEM_COPY_UTIL%s %d%n"
                        .formatted(labels, busy, labels, busy / 2);
    }

    @Test
    void readsWhatIsInUseOfNodes(Vertx vertx, @TempDir Path folder) throws Exception {
        assumeThat(Prometheus.isInstalled()).as("Prometheus").isTrue();
        var exporter = vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .putHeader("Content-Type", "text/plain; version=0.0.4")
                        .end(metrics()))
                .listen(0, "127.0.0.1")
                .await();
        var rules = Files.writeString(folder.resolve("rules.yaml"), "groups: []\n");
        try (var prometheus = Prometheus.start(folder, List.of("127.0.0.1:" + exporter.actualPort()), List.of(rules))) {
            var config = new PrometheusConfig(
                    prometheus.url().toString(), "", "node", Duration.ofSeconds(20), Duration.ofMinutes(30));
            var shell = new Shell(clock, new SimpleMeterRegistry(), new Readiness(), new Random(1));
            var reader = new PrometheusReader(
                    vertx,
                    shell,
                    config,
                    Duration.ofSeconds(1),
                    nodes -> nodes.forEach(node -> read.put(node.node(), node)));
            vertx.runOnContext(begin -> reader.start());

            await().atMost(WITHIN)
                    .untilAsserted(() -> assertThat(read.get("busy"))
                            .isNotNull()
                            .satisfies(busy -> {
                                assertThat(busy.cpu()).isCloseTo(75, within(5.0));
                                assertThat(busy.memory()).isCloseTo(70, within(0.1));
                                assertThat(busy.waiting().orElse(0)).isCloseTo(40, within(4.0));
                                assertThat(busy.cpuPeak()).isGreaterThanOrEqualTo(busy.cpu());
                            }));
            await().atMost(WITHIN)
                    .untilAsserted(() -> assertThat(read.get("idle"))
                            .isNotNull()
                            .satisfies(idle -> assertThat(idle.cpu()).isCloseTo(10, within(5.0))));
            assertThat(read.get("idle").waiting())
                    .as("of a node that shows no pressure stall information")
                    .isEmpty();
            assertThat(read.get("busy").devices()).hasSize(2).first().satisfies(device -> {
                assertThat(device.model()).isEqualTo("Tesla V100");
                assertThat(device.memoryMib()).isEqualTo(16_000);
                assertThat(device.percent()).isCloseTo(0.5 * 75 + 0.3 * 80 + 0.2 * 40, within(0.1));
            });
            assertThat(age("busy")).isLessThan(Duration.ofSeconds(60));

            // Prometheus leaves out a series once its target lacks it: nothing is read of the node any more, and it
            // ages.
            lost = true;
            await().atMost(WITHIN).untilAsserted(() -> {
                read.clear();
                await().atMost(WITHIN).until(() -> read.containsKey("busy"));
                assertThat(read).doesNotContainKey("idle");
            });
            reader.stop();
        }
    }

    private Duration age(String node) {
        return Duration.between(read.get(node).at(), clock.instant());
    }
}
