package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.scheduler.BusSchedulerClient;
import io.sluice.agent.scrape.ScrapeMetrics;
import io.sluice.agent.scrape.VmScraper;
import io.sluice.bus.Bus;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.shell.Peers;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class BusRunnerPortsTest {
    private static final VmPod POD = new VmPod(new VmId("neonvm", "ns", "vm", "u"), "n", "p", "pod");
    private static final Endpoint ENDPOINT = new Endpoint("127.0.0.1", 9499, "/metrics");
    private static final Duration USUAL = Duration.ofSeconds(2);
    private static final Duration LONGER = Duration.ofSeconds(5);

    private final List<Duration> timeouts = new ArrayList<>();

    @Test
    void readsEachTextInItsOwnWayAndTime(Vertx vertx) {
        var meters = new ScrapeMetrics(new SimpleMeterRegistry());
        var probes = new VmScraper(this::lfcText, GuestMetricNames.VECTOR, USUAL, meters);
        var ports = new BusRunnerPorts(
                new Bus(vertx),
                new BusSchedulerClient(new Bus(vertx)),
                probes,
                new MonitorAssignment(Peers.ALONE),
                new DriverRequests(vertx, Peers.ALONE, "vm"));
        assertThat(ports.send(new RunnerAction.ScrapeLfc(7, ENDPOINT, LONGER)).result())
                .isInstanceOfSatisfying(
                        RunnerEvent.LfcScraped.class,
                        scraped -> assertThat(scraped.reading()).isInstanceOf(LfcReading.Read.class));
        assertThat(ports.send(new RunnerAction.Scrape(8, POD, ENDPOINT)).result())
                .isInstanceOfSatisfying(
                        RunnerEvent.Scraped.class,
                        scraped -> assertThat(scraped.reading()).isInstanceOf(MetricsReading.Rejected.class));
        assertThat(timeouts).containsExactly(LONGER, USUAL);
    }

    private Future<byte[]> lfcText(Endpoint endpoint, Duration timeout) {
        timeouts.add(timeout);
        return Future.succeededFuture("""
            # TYPE lfc_hits gauge
            lfc_hits 1
            # TYPE lfc_misses gauge
            lfc_misses 1
            # TYPE lfc_writes gauge
            lfc_writes 1
            # TYPE lfc_approximate_working_set_size_windows gauge
            lfc_approximate_working_set_size_windows{duration_seconds="60"} 1
            """.getBytes(StandardCharsets.UTF_8));
    }
}
