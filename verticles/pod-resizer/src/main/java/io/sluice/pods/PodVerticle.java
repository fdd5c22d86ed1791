package io.sluice.pods;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.pods.api.PodApi;
import io.sluice.pods.api.PodWatch;
import io.sluice.pods.core.DownscaleRules;
import io.sluice.pods.core.MemoryKills;
import io.sluice.pods.core.MemoryShortage;
import io.sluice.pods.core.PodEvents;
import io.sluice.pods.core.PodKey;
import io.sluice.pods.core.PodsConfig;
import io.sluice.pods.core.ResizePlan;
import io.sluice.pods.kubelet.KubeletConnection;
import io.sluice.pods.kubelet.NodePlaces;
import io.sluice.pods.kubelet.PodUses;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.shell.pods.PodLimit;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver of pods that are resized in place: it claims and resizes them, replies in place of a monitor whether they
 * may shrink, and reads from kubelets what they use. It has those evicted that allow it and have had no room for long.
 * All of its state is on its one context, and can be lost.
 */
public final class PodVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(PodVerticle.class);
    private static final Duration API_TIMEOUT = Duration.ofSeconds(10);
    private static final int CLAIMS_MAX = 4;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final long TEND_EVERY_MS = 1_000;
    private static final List<String> OUTCOMES = List.of("patched", "conflict", "refused", "in_doubt");

    /** More than any bound: the limit of one kind does not touch the other. */
    private static final Resources UNBOUNDED = new Resources(1_000_000_000L, 1L << 60);

    private final PodsConfig config;
    private final Shell shell;
    private final KubernetesClient client;
    private PodApi api;
    private PodResizer resizer;
    private PodWatch watch;
    private PodUses uses;
    private KubeletConnection kubelets;
    private PodReconciler reconciler;
    private PodEvictor evictor;
    private PodStarts starts;
    private NodePlaces places;
    private final PodEvents events = new PodEvents();
    private final MemoryKills kills = new MemoryKills();
    private Bus bus;

    /** @param client shared by the whole process and closed by its owner */
    public PodVerticle(PodsConfig config, Shell shell, KubernetesClient client) {
        this.config = config;
        this.shell = shell;
        this.client = client;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        api = new PodApi(vertx, client, API_TIMEOUT);
        places = new NodePlaces(api, shell.clock());
        kubelets = new KubeletConnection(vertx, this::token, config);
        uses = new PodUses(vertx, config, kubelets, places::find, InstantSource.system());
        watch = new PodWatch(vertx, client, Optional.empty(), this::observed, this::ended);
        resizer = new PodResizer(vertx, api, shell.clock(), watch::find, this::refused);
        reconciler = new PodReconciler(api, places, config.withdrawAfter(), shell.random(), this::killed);
        starts = new PodStarts(api, config.startAs() == PodsConfig.StartAs.PREDECESSOR, shell.random());
        evictor = new PodEvictor(bus, shell.meters(), config, this::report);
        OUTCOMES.forEach(this::resizes);
        vertx.setPeriodic(TEND_EVERY_MS, timer -> tend());
        return watch.start()
                .compose(started -> bus.serve(PodAddresses.CLAIM, request -> claim(request, 1)))
                .compose(served -> bus.serve(PodAddresses.RESIZE, this::resize))
                .compose(served -> bus.serve(PodAddresses.DOWNSCALE, this::downscale))
                .compose(served -> bus.serve(PodAddresses.USE, uses::read))
                .compose(served -> bus.subscribe(PodAddresses.SAMPLED, this::sampled))
                .compose(served -> bus.subscribe(PlacementAddresses.DECISION, this::decided))
                .compose(served -> bus.subscribe(AgentAddresses.STATUS, this::received));
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                watch == null ? Future.succeededFuture() : watch.stop(),
                kubelets == null ? Future.succeededFuture() : kubelets.close());
    }

    private String token() {
        var known = client.getConfiguration();
        var provider = known.getOauthTokenProvider();
        var token = provider == null ? known.getOauthToken() : provider.getToken();
        return token == null ? "" : token;
    }

    private void observed(ScaledPod pod) {
        resizer.observed(pod);
        evictor.observed(pod, shell.clock().instant());
        starts.observed(pod, InstantSource.system().instant());
    }

    private void ended(ScaledPod pod) {
        starts.ended(pod, InstantSource.system().instant());
    }

    private void received(RunnerStatus status) {
        evictor.received(status, shell.clock().instant());
        starts.received(status);
    }

    private void sampled(PodSampled sampled) {
        uses.took(sampled);
        watch.find(sampled.vm().uid())
                .filter(pod -> MemoryShortage.isShown(pod, sampled.cause(), uses.last(pod)))
                .filter(pod -> sampled.cause() != PodSampled.Cause.OOM_KILLED || isNewKill(sampled))
                .ifPresent(this::requestMemory);
    }

    private boolean isNewKill(PodSampled sampled) {
        var at = Instant.ofEpochMilli(sampled.first().at());
        return kills.byKernel(sampled.vm().uid(), at) == MemoryKills.Finding.NEW;
    }

    private void requestMemory(ScaledPod pod) {
        bus.publish(MonitorAddresses.MEMORY_WANTED, new UpscaleRequest(pod.id(), MonitorState.OF_DRIVER));
    }

    /** A node agent has no right to write Events. */
    private void decided(PlacementDecision decision) {
        if (decision.kind() == PlacementDecision.Kind.LIMITS_DIFFER) {
            var id = new VmId(ScaledPodKeys.DRIVER, decision.namespace(), decision.name(), decision.uid());
            report(id, PodEvents.Reason.LIMITS_DIFFER, decision.reason());
        }
    }

    private void tend() {
        var pods = watch.all();
        pods.stream()
                .filter(pod -> !resizer.attends(pod.id().uid()))
                .forEach(pod -> reconciler.tend(pod, InstantSource.system().instant()));
        pods.forEach(pod -> starts.tend(pod, InstantSource.system().instant()));
        evictor.tend(pods, shell.clock().instant());
    }

    private Future<ClaimReply> claim(ClaimVm request, int number) {
        var path = PodApi.path(PodKey.of(request.vm()));
        return api.get(path)
                .compose(read -> {
                    if (!read.isSuccess()) {
                        return failed("reading the pod was answered " + read.status());
                    }
                    var pod = ScaledPod.of(read.body());
                    if (!pod.id().equals(request.vm())) {
                        return failed("the pod of that name has another uid now");
                    }
                    // A runner that repeats its claim, as the reply was lost, continues at its present fence.
                    return pod.fence().startsWith(request.runner() + "+")
                            ? Future.succeededFuture(claimed(pod))
                            : write(request, pod, number);
                })
                .otherwise(lost -> new ClaimReply.Failed(PodApi.words(lost)));
    }

    private Future<ClaimReply> write(ClaimVm request, ScaledPod pod, int number) {
        var fence = request.runner() + "+" + pod.version() + "/0";
        return api.patch(PodApi.path(PodKey.of(request.vm())), ResizePlan.claim(pod, fence), API_TIMEOUT)
                .compose(answer -> {
                    if (answer.isSuccess()) {
                        return Future.succeededFuture(claimed(ScaledPod.of(answer.body())));
                    }
                    boolean overtaken = answer.status() == CONFLICT || answer.status() == UNPROCESSABLE;
                    return overtaken && number < CLAIMS_MAX
                            ? claim(request, number + 1)
                            : failed("writing the fence was answered " + answer.status() + ": " + answer.words());
                });
    }

    private static ClaimReply claimed(ScaledPod pod) {
        return new ClaimReply.Claimed(pod.fence(), pod.sizes(), pod.isSettled(), pod.target());
    }

    private static Future<ClaimReply> failed(String reason) {
        return Future.succeededFuture(new ClaimReply.Failed(reason));
    }

    private Future<PatchReply> resize(PatchVm request) {
        return resizer.resize(request).onSuccess(reply -> {
            var outcome = switch (reply) {
                case PatchReply.Patched _ -> "patched";
                case PatchReply.Conflict _ -> "conflict";
                case PatchReply.Refused _ -> "refused";
                case PatchReply.InDoubt _ -> "in_doubt";
            };
            resizes(outcome).increment();
            LOG.atDebug()
                    .addKeyValue(LogKeys.VM, request.vm().label())
                    .addKeyValue(LogKeys.REASON, reply)
                    .log("A resize has ended.");
        });
    }

    private Future<ResizeReply> downscale(ResizeGuest request) {
        return api.get(PodApi.path(PodKey.of(request.vm())))
                .<ResizeReply>map(read -> {
                    if (!read.isSuccess()) {
                        return new ResizeReply.Failed("reading the pod was answered " + read.status());
                    }
                    var pod = ScaledPod.of(read.body());
                    return DownscaleRules.weigh(
                            pod,
                            request.target(),
                            uses.last(pod),
                            InstantSource.system().instant());
                })
                .otherwise(lost -> new ResizeReply.Failed(PodApi.words(lost)));
    }

    private void killed(ScaledPod pod, Instant at) {
        var finding = kills.byStatus(pod.id().uid(), at);
        if (finding == MemoryKills.Finding.KNOWN) {
            return;
        }
        if (finding == MemoryKills.Finding.NEW) {
            requestMemory(pod);
        }
        var minutes = DownscaleRules.KEPT_AFTER_OOM.toMinutes();
        report(
                pod,
                PodEvents.Reason.KILLED,
                "a container of it was killed for want of memory; it keeps its memory for " + minutes
                        + " minutes, and more is requested");
    }

    private void report(ScaledPod pod, PodEvents.Reason reason, String words) {
        report(pod.id(), reason, words);
    }

    private void report(VmId pod, PodEvents.Reason reason, String words) {
        var path = "/api/v1/namespaces/" + pod.namespace() + "/events";
        events.event(pod, reason, words, InstantSource.system().instant()).ifPresent(event -> api.create(path, event));
    }

    /** What is deferred is requested again: its room stays reserved, and counts as pressure on the node. */
    private void refused(PodResizer.Refusal refusal, ScaledPod before) {
        report(before, refusal.cause(), refusal.reason());
        if (refusal.cause() != PodEvents.Reason.DEFERRED) {
            limit(refusal, before);
        }
    }

    /** Writes to the pod that it gets no more for now, so that its runner gives the permit back. */
    private void limit(PodResizer.Refusal refusal, ScaledPod before) {
        var wanted = refusal.request().target();
        var had = before.spec();
        var most = new Resources(
                wanted.milliCpu() > had.milliCpu() ? had.milliCpu() : UNBOUNDED.milliCpu(),
                wanted.memoryBytes() > had.memoryBytes() ? had.memoryBytes() : UNBOUNDED.memoryBytes());
        var node = before.json().path("spec").path("nodeName").asText();
        boolean byNode = refusal.cause() == PodEvents.Reason.INFEASIBLE;
        var room = byNode
                ? places.find(node).map(place -> Optional.of(place.room()))
                : Future.succeededFuture(Optional.<Resources>empty());
        room.compose(known -> {
                    var until = InstantSource.system()
                            .instant()
                            .plus(byNode ? config.infeasibleFor() : config.refusalCooldown());
                    var limit = new PodLimit(most, until, known, refusal.reason());
                    return api.patch(
                            PodApi.path(PodKey.of(before.id())),
                            ResizePlan.annotation(before, ScaledPodKeys.LIMIT, limit.text()),
                            API_TIMEOUT);
                })
                .onComplete(written -> LOG.atInfo()
                        .addKeyValue(LogKeys.VM, before.id().label())
                        .addKeyValue(LogKeys.REASON, refusal.reason())
                        .log("A pod gets no more for now."));
    }

    private Counter resizes(String outcome) {
        return Counter.builder("sluice.pods.resizes")
                .description("Resizes of pods, by outcome")
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
