package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.scheduler.BusSchedulerClient;
import io.sluice.agent.scrape.ScrapeMetrics;
import io.sluice.agent.scrape.VmScraper;
import io.sluice.bus.Bus;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.shell.Peers;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PodRunnerPortsTest {
    private static final VmId POD = new VmId("pod", "ns", "p", "u");
    private static final VmId VM = new VmId("neonvm", "ns", "p", "u");
    private static final Endpoint ENDPOINT = new Endpoint("127.0.0.1", 10_250, "/metrics/resource");

    private final List<ReadPodUse> reads = new ArrayList<>();
    private Bus bus;
    private RunnerPorts ports;

    @BeforeEach
    void open(Vertx vertx) {
        bus = new Bus(vertx);
        var probes = new VmScraper(
                (endpoint, timeout) -> Future.failedFuture("a guest"),
                GuestMetricNames.VECTOR,
                Duration.ofSeconds(1),
                new ScrapeMetrics(new SimpleMeterRegistry()));
        var drivers = new DriverRequests(vertx, Peers.ALONE, "pods");
        ports = new PodRunnerPorts(
                bus,
                drivers,
                10,
                new BusRunnerPorts(
                        bus, new BusSchedulerClient(bus), probes, new MonitorAssignment(Peers.ALONE), drivers));
    }

    @Test
    void readsAPodFromItsDriverByEachNewSample() {
        bus.serve(PodAddresses.USE, request -> {
                    reads.add(request);
                    return Future.succeededFuture(
                            reads.size() < 3
                                    ? new PodUse.Sampled(1_000L * reads.size(), 0.5, 0.25, 3)
                                    : new PodUse.Unknown("no sample"));
                })
                .await();

        assertThat(ports.send(scrape(1, POD)).await())
                .isEqualTo(new RunnerEvent.Scraped(1, new MetricsReading.Read(new SystemMetrics(0.5, 0.25, 3, 0))));
        ports.send(scrape(2, POD)).await();
        assertThat(ports.send(scrape(3, POD)).await()).isEqualTo(new RunnerEvent.RequestFailed(3, "no sample"));
        assertThat(reads).extracting(ReadPodUse::after).containsExactly(0L, 1_000L, 2_000L);
        assertThat(ports.send(scrape(4, VM)).await()).isEqualTo(new RunnerEvent.RequestFailed(4, "a guest"));
    }

    @Test
    void claimsAPodByItsDriverAndNeedsNoMonitor() {
        bus.serve(PodAddresses.CLAIM, claim -> Future.succeededFuture(new ClaimReply.Failed("here")))
                .await();

        assertThat(ports.send(new RunnerAction.ClaimFence(1, new ClaimVm(POD, "r")))
                        .await())
                .isEqualTo(new RunnerEvent.ClaimAnswered(1, new ClaimReply.Failed("here")));
        assertThat(ports.send(new RunnerAction.AttachToMonitor(2, new AttachMonitor(POD, ENDPOINT)))
                        .await())
                .isEqualTo(new RunnerEvent.MonitorAttached(2, new MonitorState(POD, 1, true, "")));
    }

    private static RunnerAction.Scrape scrape(long number, VmId vm) {
        return new RunnerAction.Scrape(number, new VmPod(vm, "n", "u", "p"), ENDPOINT);
    }
}
