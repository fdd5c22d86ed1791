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
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.shell.Peers;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PodRunnerPortsTest {
    private static final VmId POD = new VmId("pod", "ns", "p", "u");
    private static final VmId VM = new VmId("neonvm", "ns", "p", "u");
    private static final Endpoint ENDPOINT = new Endpoint("127.0.0.1", 10_250, "/metrics/resource");

    private static final Resources SIZE = new Resources(200, 100);
    private static final long SESSION = 1_767_225_600_000L;

    private final List<ReadPodUse> reads = new ArrayList<>();
    private final List<ResizeGuest> resizes = new ArrayList<>();
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
                            switch (reads.size()) {
                                case 1, 2 -> new PodUse.Sampled(1_000L * reads.size(), 0.5, 0.25, 3);
                                case 3 -> new PodUse.Unknown("no sample");
                                default -> new PodUse.Unchanged();
                            });
                })
                .await();

        assertThat(ports.send(scrape(1, POD)).await())
                .isEqualTo(new RunnerEvent.Scraped(1, new MetricsReading.Read(new SystemMetrics(0.5, 0.25, 3, 0))));
        ports.send(scrape(2, POD)).await();
        assertThat(ports.send(scrape(3, POD)).await()).isEqualTo(new RunnerEvent.RequestFailed(3, "no sample"));
        assertThat(reads).extracting(ReadPodUse::after).containsExactly(0L, 1_000L, 2_000L);
        assertThat(ports.send(scrape(5, POD)).await())
                .isEqualTo(new RunnerEvent.Scraped(5, new MetricsReading.Unchanged()));
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
                .isEqualTo(new RunnerEvent.MonitorAttached(2, new MonitorState(POD, MonitorState.OF_DRIVER, true, "")));
        assertThat(ports.send(upscale(3, MonitorState.OF_DRIVER)).await())
                .isEqualTo(new RunnerEvent.GuestAnswered(3, new ResizeReply.Accepted("")));
    }

    /** Both have to agree, and a monitor that agrees has already set itself to less. */
    @Test
    void requestsOfAPodsOwnMonitorOnlyWhatItsDriverAllows() {
        claimed(new Resources(50, 30));
        var driver = new AtomicReference<ResizeReply>(new ResizeReply.Denied("its working set"));
        bus.serve(PodAddresses.DOWNSCALE, request -> Future.succeededFuture(driver.get()))
                .await();
        var monitor = new AtomicReference<ResizeReply>(new ResizeReply.Denied("its threshold"));
        bus.serve(MonitorAddresses.DOWNSCALE, request -> {
                    resizes.add(request);
                    return Future.succeededFuture(monitor.get());
                })
                .await();

        assertThat(ports.send(downscale(1, SESSION)).await()).isEqualTo(new RunnerEvent.GuestAnswered(1, driver.get()));
        assertThat(resizes).isEmpty();

        driver.set(new ResizeReply.Accepted("it fits"));
        assertThat(ports.send(downscale(2, SESSION)).await())
                .isEqualTo(new RunnerEvent.GuestAnswered(2, monitor.get()));
        monitor.set(new ResizeReply.Accepted("fine"));
        assertThat(ports.send(downscale(3, SESSION)).await())
                .isEqualTo(new RunnerEvent.GuestAnswered(3, monitor.get()));
        assertThat(resizes)
                .as("without what other containers have")
                .hasSize(2)
                .containsOnly(new ResizeGuest(POD, SESSION, new Resources(150, 70)));

        assertThat(ports.send(downscale(4, MonitorState.OF_DRIVER)).await())
                .isEqualTo(new RunnerEvent.GuestAnswered(4, driver.get()));
        assertThat(resizes).as("no monitor").hasSize(2);
    }

    @Test
    void notifiesAPodsOwnMonitor() {
        claimed(new Resources(50, 30));
        bus.serve(MonitorAddresses.UPSCALE, request -> {
                    resizes.add(request);
                    return Future.succeededFuture(new ResizeReply.Failed("it is gone"));
                })
                .await();

        assertThat(ports.send(upscale(1, SESSION)).await())
                .isEqualTo(new RunnerEvent.GuestAnswered(1, new ResizeReply.Failed("it is gone")));
        assertThat(resizes).containsExactly(new ResizeGuest(POD, SESSION, new Resources(150, 70)));
    }

    @Test
    void endsTheSessionOnceTheDriverStandsForTheMonitorAgain() throws Exception {
        var attached = new MonitorState(POD, SESSION, true, "");
        bus.serve(MonitorAddresses.ATTACH, attach -> Future.succeededFuture(attached))
                .await();
        var ended = new LinkedBlockingQueue<DetachMonitor>();
        bus.serve(MonitorAddresses.DETACH, detach -> {
                    ended.add(detach);
                    return Future.succeededFuture(attached);
                })
                .await();
        ports.detach(new DetachMonitor(POD), "");

        var own = new Endpoint("127.0.0.1", 10_301, "/monitor");
        assertThat(ports.send(new RunnerAction.AttachToMonitor(1, new AttachMonitor(POD, own)))
                        .await())
                .isEqualTo(new RunnerEvent.MonitorAttached(1, attached));
        assertThat(ended).as("there was none").isEmpty();
        ports.send(new RunnerAction.AttachToMonitor(2, new AttachMonitor(POD, ENDPOINT)))
                .await();
        assertThat(ended.take()).isEqualTo(new DetachMonitor(POD));

        ports.send(new RunnerAction.AttachToMonitor(3, new AttachMonitor(POD, own)))
                .await();
        ports.detach(new DetachMonitor(POD), "");
        assertThat(ended.take()).isEqualTo(new DetachMonitor(POD));
    }

    private void claimed(Resources beside) {
        var sizes = new VmSizes(beside, SIZE, SIZE, Optional.of(SIZE), 1);
        bus.serve(
                        PodAddresses.CLAIM,
                        claim -> Future.succeededFuture(new ClaimReply.Claimed("f", sizes, true, Optional.empty())))
                .await();
        ports.send(new RunnerAction.ClaimFence(9, new ClaimVm(POD, "r"))).await();
    }

    private static RunnerAction.UpscaleGuest upscale(long number, long session) {
        return new RunnerAction.UpscaleGuest(number, new ResizeGuest(POD, session, SIZE), SIZE, "");
    }

    private static RunnerAction.DownscaleGuest downscale(long number, long session) {
        return new RunnerAction.DownscaleGuest(number, new ResizeGuest(POD, session, SIZE), SIZE, "");
    }

    private static RunnerAction.Scrape scrape(long number, VmId vm) {
        return new RunnerAction.Scrape(number, new VmPod(vm, "n", "u", "p"), ENDPOINT);
    }
}
