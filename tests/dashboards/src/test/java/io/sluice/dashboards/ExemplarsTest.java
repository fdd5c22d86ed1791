package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: from a slow stage of a resize in a dashboard, its trace is one click away. Method: a demo that records traces,
 * and a real Prometheus that stores exemplars.
 */
class ExemplarsTest {
    private static final Duration DATA_WITHIN = Duration.ofSeconds(300);
    private static final String STAGES = "sluice_agent_stage_seconds_bucket";
    private static final String TRACE = "[0-9a-f]{32}";

    @TempDir
    private Path folder;

    @Test
    void prometheusHasTheTracesOfEachStage() throws Exception {
        assumeThat(Prometheus.isInstalled()).as("Debian's package prometheus").isTrue();
        assumeThat(Demo.START_SCRIPT)
                .as("the distribution, which mvn package makes")
                .exists();
        try (var demo = Demo.start(folder);
                var prometheus = Prometheus.start(folder, demo.targets(), List.of())) {
            await("exemplars")
                    .atMost(DATA_WITHIN)
                    .untilAsserted(() -> assertThat(stages(prometheus.exemplars(STAGES)))
                            .contains("sample", "goal", "permit", "patch", "status", "guest"));
            assertThat(prometheus.exemplars(STAGES))
                    .allSatisfy(series -> assertThat(series.path("exemplars"))
                            .allSatisfy(exemplar -> assertThat(exemplar.path("labels")
                                            .path("trace_id")
                                            .asText())
                                    .matches(TRACE)));
            await("dropped spans")
                    .atMost(DATA_WITHIN)
                    .untilAsserted(
                            () -> assertThat(prometheus.query("sluice_traces_spans_total{outcome=\"failed\"} > 0"))
                                    .isNotEmpty());
            await("the same series in both formats").atMost(DATA_WITHIN).untilAsserted(() -> {
                var text = names(demo.metrics("text/plain"));
                var open = names(demo.metrics("application/openmetrics-text"));
                assertThat(missing(text, open))
                        .as("series in Prometheus' text alone")
                        .isEmpty();
                assertThat(missing(open, text))
                        .as("series in OpenMetrics alone")
                        .isEmpty();
            });
        }
    }

    private static Set<String> stages(JsonNode series) {
        var stages = new TreeSet<String>();
        series.forEach(one -> stages.add(one.path("seriesLabels").path("stage").asText()));
        return stages;
    }

    private static Set<String> names(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    private static Set<String> missing(Set<String> of, Set<String> in) {
        var missing = new HashSet<>(of);
        missing.removeAll(in);
        return missing;
    }
}
