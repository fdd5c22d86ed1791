package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.replay.Assumptions;
import io.sluice.replay.Replay;
import io.sluice.replay.ReplayOptions;
import io.sluice.replay.ReplayResult;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.read.PrometheusExporter;
import io.sluice.replay.read.PrometheusSource;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an evaluator's first command works. Method: a real Prometheus scrapes the guests of the demo, which export
 * their CPUs and memory as node_exporter does, and their load is replayed out of it.
 */
class ReplayFromPrometheusTest {
    private static final Duration WITHIN = Duration.ofSeconds(180);
    private static final int VMS_AT_LEAST = 10;
    private static final String METRICS = "autoscaling.sluice.io/metrics";

    @TempDir
    private Path folder;

    /** The endpoints of the demo's VMs, as {@code host:port}. */
    private static List<String> guests(Demo demo) throws IOException, InterruptedException {
        var list = HttpRequest.newBuilder(
                        URI.create("http://" + demo.kubernetes() + "/apis/vm.neon.tech/v1/virtualmachines"))
                .timeout(WITHIN)
                .build();
        try (var client = HttpClient.newHttpClient()) {
            var targets = new ArrayList<String>();
            for (var vm : new ObjectMapper()
                    .readTree(client.send(list, BodyHandlers.ofString()).body())
                    .path("items")) {
                var ip = vm.path("status").path("podIP").asText();
                var at = vm.path("metadata").path("annotations").path(METRICS).asText();
                if (!ip.isEmpty() && at.contains("/")) {
                    targets.add(ip + ":" + at.substring(0, at.indexOf('/')));
                }
            }
            return targets;
        }
    }

    private static ReplayResult replay(Prometheus prometheus) throws Exception {
        // Until the end of the sample of which a part is over.
        var source = new PrometheusSource(
                prometheus.url(),
                PrometheusExporter.NODE,
                Duration.ofHours(1),
                Instant.now().plusSeconds(299),
                Optional.empty());
        var options = new ReplayOptions(
                Optional.empty(),
                Optional.of(source),
                List.of(),
                Optional.empty(),
                false,
                false,
                1,
                10,
                0,
                0,
                Optional.empty(),
                Assumptions.of(Map.of()),
                1);
        return new Replay(options, () -> false, (done, of) -> {}).run();
    }

    private static double used(TraceSeries series) {
        return Arrays.stream(series.samples())
                .filter(sample -> !Double.isNaN(sample))
                .max()
                .orElse(0);
    }

    @Test
    void theDemosLoadIsReplayedFromTheirPrometheus() throws Exception {
        assumeThat(Prometheus.isInstalled())
                .as("prometheus and promtool, of Debian's package prometheus")
                .isTrue();
        assumeThat(Demo.START_SCRIPT)
                .as("the distribution, which mvn package makes")
                .exists();
        var rules = Files.writeString(folder.resolve("rules.yaml"), "groups: []\n");
        try (var demo = Demo.start(folder)) {
            await("the demo's VMs").atMost(WITHIN).until(() -> guests(demo).size() >= VMS_AT_LEAST);
            var guests = guests(demo);
            try (var prometheus = Prometheus.start(folder, guests, List.of(rules))) {
                await("the rate of each CPU").atMost(WITHIN).until(() -> hasRates(prometheus, guests.size()));
                // Samples of five minutes that begin or end just now may lack a VM.
                var result = await("both series of each VM")
                        .atMost(WITHIN)
                        .until(() -> replay(prometheus), full -> full.series().size() == 2 * guests.size());

                assertThat(result.series()).extracting(TraceSeries::vm).containsAll(guests);
                assertThat(result.series())
                        .allSatisfy(series -> assertThat(used(series))
                                .as(series.vm() + " " + series.kind())
                                .isPositive()
                                .isLessThanOrEqualTo(1.05 * series.capacity()));
                assertThat(result.isComplete()).isTrue();
                for (var kind : ResourceKind.values()) {
                    assertThat(result.sums(kind)).hasSize(4).allSatisfy(sum -> {
                        assertThat(sum.vms()).isEqualTo(guests.size());
                        assertThat(sum.samples() + sum.censored()).isPositive();
                    });
                }
            }
        }
    }

    private static boolean hasRates(Prometheus prometheus, int vms) {
        var rates = prometheus.query("count(sum by (instance) (rate(node_cpu_seconds_total{mode=\"user\"}[5m])) > 0)");
        return !rates.isEmpty() && rates.get(0).path("value").path(1).asInt() >= vms;
    }
}
