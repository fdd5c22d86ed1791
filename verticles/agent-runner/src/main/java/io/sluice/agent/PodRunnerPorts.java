package io.sluice.agent;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.bus.Bus;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.shell.BoundedMap;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/**
 * Ports of runners whose VM is a pod that is resized in place: its driver is another one, reads its metrics, and stands
 * for its monitor. All other requests pass through.
 */
final class PodRunnerPorts implements RunnerPorts {
    /** The session with a driver has no state, so it is never another one. */
    private static final long ONLY_GENERATION = 1;

    private final Bus bus;
    private final DriverRequests drivers;
    private final RunnerPorts others;
    private final Map<String, Long> sampledAt;

    /** @param podsMax the most pods of which the time of the last sample is kept */
    PodRunnerPorts(Bus bus, DriverRequests drivers, int podsMax, RunnerPorts others) {
        this.bus = bus;
        this.drivers = drivers;
        this.others = others;
        this.sampledAt = BoundedMap.ofLastUsed(podsMax);
    }

    @Override
    public Future<RunnerEvent> send(RunnerAction.Request request) {
        return ofPod(request)
                .map(answered ->
                        answered.otherwise(lost -> new RunnerEvent.RequestFailed(request.number(), words(lost))))
                .orElseGet(() -> others.send(request));
    }

    private Optional<Future<RunnerEvent>> ofPod(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.ClaimFence(var number, var claim)
            when ScaledPodKeys.isPod(claim.vm()) ->
                Optional.of(drivers.await(bus.request(PodAddresses.CLAIM, claim))
                        .map(reply -> new RunnerEvent.ClaimAnswered(number, reply)));
            case RunnerAction.PatchSize(var number, var patch, var _)
            when ScaledPodKeys.isPod(patch.vm()) ->
                Optional.of(drivers.await(bus.request(PodAddresses.RESIZE, patch))
                        .map(reply -> new RunnerEvent.PatchAnswered(number, reply)));
            case RunnerAction.UpscaleGuest(var number, var resize, var _, var _)
            when ScaledPodKeys.isPod(resize.vm()) ->
                answered(new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted("")));
            case RunnerAction.DownscaleGuest(var number, var resize, var _, var _)
            when ScaledPodKeys.isPod(resize.vm()) ->
                Optional.of(bus.request(PodAddresses.DOWNSCALE, resize)
                        .map(reply -> new RunnerEvent.GuestAnswered(number, reply)));
            case RunnerAction.AttachToMonitor(var number, var attach)
            when ScaledPodKeys.isPod(attach.vm()) ->
                answered(new RunnerEvent.MonitorAttached(
                        number, new MonitorState(attach.vm(), ONLY_GENERATION, true, "")));
            case RunnerAction.Scrape scrape
            when ScaledPodKeys.isPod(scrape.pod().vm()) -> Optional.of(use(scrape));
            case RunnerAction.OpenLedgerSession _, RunnerAction.RequestPermit _ -> Optional.empty();
            case RunnerAction.ClaimFence _, RunnerAction.PatchSize _, RunnerAction.Scrape _ -> Optional.empty();
            case RunnerAction.UpscaleGuest _, RunnerAction.DownscaleGuest _ -> Optional.empty();
            case RunnerAction.AttachToMonitor _, RunnerAction.ScrapeLfc _ -> Optional.empty();
        };
    }

    private static Optional<Future<RunnerEvent>> answered(RunnerEvent event) {
        return Optional.of(Future.succeededFuture(event));
    }

    /** The reply comes with the next sample, so nothing is decided without one. */
    private Future<RunnerEvent> use(RunnerAction.Scrape scrape) {
        var vm = scrape.pod().vm();
        var request = new ReadPodUse(vm, scrape.pod().node(), sampledAt.getOrDefault(vm.uid(), 0L));
        return bus.request(PodAddresses.USE, request).compose(reply -> switch (reply) {
            case PodUse.Sampled(var at, var load, var load5, var workingSet) -> {
                sampledAt.put(vm.uid(), at);
                var metrics = new SystemMetrics(load, load5, workingSet, 0);
                yield Future.succeededFuture(
                        new RunnerEvent.Scraped(scrape.number(), new MetricsReading.Read(metrics)));
            }
            case PodUse.Unknown(var reason) -> Future.failedFuture(reason);
        });
    }

    private static String words(Throwable lost) {
        return lost.getMessage() == null ? lost.getClass().getSimpleName() : lost.getMessage();
    }

    @Override
    public void publish(Decision decision) {
        others.publish(decision);
    }

    @Override
    public void publish(RunnerStatus status) {
        others.publish(status);
    }

    @Override
    public void publish(ScalingRecorded recorded) {
        others.publish(recorded);
    }

    @Override
    public void detach(DetachMonitor request, String at) {
        if (!ScaledPodKeys.isPod(request.vm())) {
            others.detach(request, at);
        }
    }
}
