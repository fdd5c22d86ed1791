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
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.shell.BoundedMap;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/**
 * Ports of runners whose VM is a pod that is resized in place: its driver is another one, reads its metrics, and stands
 * for its monitor. A pod may have a monitor of its own beside that. All other requests pass through.
 */
final class PodRunnerPorts implements RunnerPorts {
    private final Bus bus;
    private final DriverRequests drivers;
    private final RunnerPorts others;
    private final Map<String, Long> sampledAt;
    private final Map<String, Resources> otherContainers;
    private final Map<String, String> dispatcherByPod;

    /** @param podsMax the most pods of which something is kept */
    PodRunnerPorts(Bus bus, DriverRequests drivers, int podsMax, RunnerPorts others) {
        this.bus = bus;
        this.drivers = drivers;
        this.others = others;
        this.sampledAt = BoundedMap.ofLastUsed(podsMax);
        this.otherContainers = BoundedMap.ofLastUsed(podsMax);
        this.dispatcherByPod = BoundedMap.ofLastUsed(podsMax);
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
                        .onSuccess(reply -> claimed(claim.vm(), reply))
                        .map(reply -> new RunnerEvent.ClaimAnswered(number, reply)));
            case RunnerAction.PatchSize(var number, var patch, var _)
            when ScaledPodKeys.isPod(patch.vm()) ->
                Optional.of(drivers.await(bus.request(PodAddresses.RESIZE, patch))
                        .map(reply -> new RunnerEvent.PatchAnswered(number, reply)));
            case RunnerAction.UpscaleGuest(var number, var resize, var from, var at)
            when ScaledPodKeys.isPod(resize.vm()) ->
                isOfDriver(resize)
                        ? answered(new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted("")))
                        : Optional.of(others.send(new RunnerAction.UpscaleGuest(number, ofScaled(resize), from, at)));
            case RunnerAction.DownscaleGuest downscale
            when ScaledPodKeys.isPod(downscale.request().vm()) -> Optional.of(downscale(downscale));
            case RunnerAction.AttachToMonitor attach
            when ScaledPodKeys.isPod(attach.request().vm()) -> Optional.of(attach(attach));
            case RunnerAction.Scrape scrape
            when ScaledPodKeys.isPod(scrape.pod().vm()) -> Optional.of(use(scrape));
            case RunnerAction.OpenLedgerSession _, RunnerAction.RequestPermit _ -> Optional.empty();
            case RunnerAction.ClaimFence _, RunnerAction.PatchSize _, RunnerAction.Scrape _ -> Optional.empty();
            case RunnerAction.UpscaleGuest _, RunnerAction.DownscaleGuest _ -> Optional.empty();
            case RunnerAction.AttachToMonitor _, RunnerAction.ScrapeLfc _ -> Optional.empty();
        };
    }

    private void claimed(VmId pod, ClaimReply reply) {
        if (reply instanceof ClaimReply.Claimed claimed) {
            otherContainers.put(pod.uid(), claimed.sizes().min());
        }
    }

    /** The session with the driver has no state. That with a monitor is requested of its dispatcher, as of a VM. */
    private Future<RunnerEvent> attach(RunnerAction.AttachToMonitor attach) {
        var pod = attach.request().vm();
        if (attach.request().endpoint().path().equals(ScaledPodKeys.SAMPLES_PATH)) {
            Optional.ofNullable(dispatcherByPod.remove(pod.uid()))
                    .ifPresent(at -> others.detach(new DetachMonitor(pod), at));
            return Future.succeededFuture(new RunnerEvent.MonitorAttached(
                    attach.number(), new MonitorState(pod, MonitorState.OF_DRIVER, true, "")));
        }
        return others.send(attach).onSuccess(event -> {
            if (event instanceof RunnerEvent.MonitorAttached(var _, var state)) {
                dispatcherByPod.put(pod.uid(), state.at());
            }
        });
    }

    /** The driver decides first, as its reply changes nothing; a monitor that agrees has already set itself to less. */
    private Future<RunnerEvent> downscale(RunnerAction.DownscaleGuest downscale) {
        var resize = downscale.request();
        return bus.request(PodAddresses.DOWNSCALE, resize)
                .compose(reply -> isOfDriver(resize) || !(reply instanceof ResizeReply.Accepted)
                        ? Future.succeededFuture(new RunnerEvent.GuestAnswered(downscale.number(), reply))
                        : others.send(new RunnerAction.DownscaleGuest(
                                downscale.number(), ofScaled(resize), downscale.from(), downscale.at())));
    }

    private static boolean isOfDriver(ResizeGuest resize) {
        return resize.generation() == MonitorState.OF_DRIVER;
    }

    /** A monitor counts what is scaled, without the other containers. */
    private ResizeGuest ofScaled(ResizeGuest resize) {
        var unscaled = otherContainers.getOrDefault(resize.vm().uid(), Resources.NONE);
        return new ResizeGuest(resize.vm(), resize.generation(), resize.target().minus(unscaled));
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
            case PodUse.Unchanged _ ->
                Future.succeededFuture(new RunnerEvent.Scraped(scrape.number(), new MetricsReading.Unchanged()));
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
        if (!ScaledPodKeys.isPod(request.vm())
                || dispatcherByPod.remove(request.vm().uid()) != null) {
            others.detach(request, at);
        }
    }
}
