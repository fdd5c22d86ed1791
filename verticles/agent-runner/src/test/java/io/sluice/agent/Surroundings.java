package io.sluice.agent;

import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.ConfirmationMode;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.scheduler.SchedulerConfig;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** Fakes of all components that an agent uses, on a real local bus and a real HTTP server; each request succeeds. */
public final class Surroundings {
    public static final AgentConfig CONFIG = config(Duration.ofMillis(40));

    final Bus bus;
    final Map<String, Double> loads = new ConcurrentHashMap<>();
    final Map<VmId, PatchVm> patched = new ConcurrentHashMap<>();
    final List<OpenSession> opened = new CopyOnWriteArrayList<>();
    final List<Decision> decisions = new CopyOnWriteArrayList<>();
    final List<ScalingRecorded> entries = new CopyOnWriteArrayList<>();
    final List<String> received = new CopyOnWriteArrayList<>();
    final Map<String, AtomicInteger> failuresLeft = new ConcurrentHashMap<>();
    final List<RunnerStatus> statuses = new CopyOnWriteArrayList<>();
    volatile Function<PermitRequest, PermitReply> ledger = Surroundings::grant;
    volatile Function<ResizeGuest, ResizeReply> guest = request -> new ResizeReply.Accepted("");
    private final Map<VmId, VmObserved> observations = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile Optional<Promise<Void>> held = Optional.empty();
    private int port;

    Surroundings(Vertx vertx) {
        bus = new Bus(vertx);
    }

    Future<?> start(Vertx vertx) {
        return Future.all(List.of(
                        answer(LedgerAddresses.OPEN, request -> {
                            opened.add(request);
                            return new OpenReply.Opened(1, cu(2), false);
                        }),
                        answer(LedgerAddresses.PERMIT, request -> ledger.apply(request)),
                        answer(
                                VmAddresses.CLAIM,
                                claim -> new ClaimReply.Claimed(
                                        claim.runner() + "/0",
                                        observations.get(claim.vm()).sizes(),
                                        true,
                                        observations.get(claim.vm()).currentRevision())),
                        bus.serve(VmAddresses.PATCH, this::patchInTime),
                        answer(MonitorAddresses.ATTACH, attach -> new MonitorState(attach.vm(), 1, true, "")),
                        answer(MonitorAddresses.DETACH, detach -> new MonitorState(detach.vm(), 2, false, "left")),
                        answer(MonitorAddresses.UPSCALE, reported -> guest.apply(reported)),
                        answer(MonitorAddresses.DOWNSCALE, request -> guest.apply(request)),
                        bus.subscribe(AgentAddresses.DECISION, decisions::add),
                        bus.subscribe(AgentAddresses.SCALING_RECORDED, entries::add),
                        bus.subscribe(AgentAddresses.STATUS, statuses::add),
                        bus.subscribe(
                                ClusterAddresses.RELIST_WANTED, request -> received.add("resync " + request.by()))))
                .compose(ready -> vertx.createHttpServer()
                        .requestHandler(this::metrics)
                        .listen(0, "127.0.0.1")
                        .onSuccess(server -> port = server.actualPort()));
    }

    /** Makes the next requests to an address, or scrapes if it is {@code scrape}, fail. */
    void failNext(String address, int times) {
        failuresLeft.put(address, new AtomicInteger(times));
    }

    /** The sessions that were requested, once for each pod and runner: a request without a reply is repeated. */
    List<OpenSession> sessions() {
        return opened.stream()
                .map(open -> new OpenSession(open.node(), open.pod(), open.runner(), 0))
                .distinct()
                .toList();
    }

    /** The size that a VM was last patched to; nothing before the first patch. */
    Resources target(VmObserved vm) {
        return Optional.ofNullable(patched.get(vm.vm())).map(PatchVm::target).orElse(Resources.NONE);
    }

    VmObserved vm(String name, int cu) {
        var observation = observation(
                name, 1, new VmSizes(cu(1), cu(16), cu(cu), Optional.of(cu(cu)), 1L << 27), "", Optional.empty());
        observations.put(observation.vm(), observation);
        return observation;
    }

    VmObserved observation(String name, long version, VmSizes sizes, String fence, Optional<Revision> revision) {
        return new VmObserved(
                new VmId("neonvm", "default", name, "uid-" + name),
                version,
                "uid-pod-" + name,
                "pod-" + name,
                "n1",
                VmPhase.RUNNING,
                true,
                true,
                false,
                sizes,
                Overcommit.OFF,
                ScalingOverrides.NONE,
                revision,
                Optional.empty(),
                fence,
                Optional.of(new Endpoint("127.0.0.1", port, "/" + name)),
                Optional.empty(),
                Optional.of(new Endpoint("127.0.0.1", 1, "/monitor")),
                VmTraits.NONE);
    }

    /** The VM's object as it is, with another phase, and in a pod of that name on that node. */
    VmObserved moved(VmObserved vm, VmPhase phase, String pod, String node) {
        var last = observations.get(vm.vm());
        var moved = new VmObserved(
                last.vm(),
                last.version() + 1,
                "uid-" + pod,
                pod,
                node,
                phase,
                last.autoscaled(),
                last.migratable(),
                last.alwaysMigrate(),
                last.sizes(),
                last.overcommit(),
                last.overrides(),
                last.currentRevision(),
                last.approved(),
                last.fence(),
                last.metrics(),
                last.fileCache(),
                last.monitor(),
                last.traits());
        observations.put(vm.vm(), moved);
        return moved;
    }

    void observe(VmObserved vm) {
        bus.publish(ClusterAddresses.VM_OBSERVED, vm);
    }

    private <Q, A> Future<Void> answer(RequestAddress<Q, A> address, Function<Q, A> answer) {
        return bus.serve(address, request -> unlessItFails(address.name(), () -> answer.apply(request)));
    }

    private <A> Future<A> unlessItFails(String address, Supplier<A> answer) {
        received.add(address);
        var left = failuresLeft.get(address);
        if (left != null && left.getAndDecrement() > 0) {
            return Future.failedFuture("not this time");
        }
        return Future.succeededFuture(answer.get());
    }

    /** Patches have no reply any more, until {@link #release}. */
    void holdPatches() {
        held = Optional.of(Promise.promise());
    }

    int held() {
        return waiting.get();
    }

    void release() {
        held.ifPresent(Promise::complete);
    }

    private Future<PatchReply> patchInTime(PatchVm patch) {
        waiting.incrementAndGet();
        return held.map(Promise::future)
                .orElseGet(Future::succeededFuture)
                .onSuccess(released -> waiting.decrementAndGet())
                .compose(released -> this.<PatchReply>unlessItFails(VmAddresses.PATCH.name(), () -> patch(patch)));
    }

    private PatchReply patch(PatchVm patch) {
        patched.put(patch.vm(), patch);
        var sizes = observations.get(patch.vm()).sizes();
        var shown =
                new VmSizes(sizes.min(), sizes.max(), patch.target(), Optional.of(patch.target()), sizes.slotBytes());
        var before = observations.get(patch.vm());
        var version = before.version() + 1;
        observations.put(
                patch.vm(),
                observation(patch.vm().name(), version - 1, shown, patch.nextFence(), Optional.of(patch.revision())));
        observe(moved(before, before.phase(), before.podName(), before.node()));
        return new PatchReply.Patched(version);
    }

    private void metrics(HttpServerRequest request) {
        received.add("scrape");
        var left = failuresLeft.get("scrape");
        if (left != null && left.getAndDecrement() > 0) {
            request.response().setStatusCode(503).end();
            return;
        }
        double load = loads.getOrDefault(request.path().substring(1), 0.0);
        request.response().end(text(load));
    }

    public static String text(double load) {
        return """
            # TYPE host_load1 gauge
            host_load1 %1$s
            # TYPE host_load5 gauge
            host_load5 %1$s
            # TYPE host_memory_total_bytes gauge
            host_memory_total_bytes 2e9
            # TYPE host_memory_available_bytes gauge
            host_memory_available_bytes 1.9e9
            # TYPE host_memory_cached_bytes gauge
            host_memory_cached_bytes 0
            """.formatted(load);
    }

    /** The load that asks for so many compute units. */
    static double loadFor(int cu) {
        return cu * 0.25 * 0.9;
    }

    static Resources cu(int units) {
        return AgentConfig.DEFAULTS.computeUnit().times(units);
    }

    static PermitReply grant(PermitRequest request) {
        return permit(request, request.target());
    }

    /** Grants that much; the rest is missing on the node. */
    static PermitReply permit(PermitRequest request, Resources permit) {
        var target = request.target();
        var outcome = target.exceeds(permit) ? KindDecision.Rule.CUT_TO_ROOM : KindDecision.Rule.GRANTED;
        return new PermitReply.Ruled(
                request.session(),
                request.seq(),
                permit,
                Duration.ofSeconds(10),
                false,
                new KindDecision(outcome, 0, target.milliCpu(), permit.milliCpu(), 0, 9_000, 10_000),
                new KindDecision(outcome, 0, target.memoryBytes(), permit.memoryBytes(), 0, 36L << 30, 40L << 30));
    }

    static AgentConfig config(Duration wait) {
        return config(wait, 3, 50);
    }

    static AgentConfig sharedByNode(String node) {
        return config(Duration.ofMillis(40), 3, 50, AssignmentMode.NODE, node);
    }

    /** A config whose waits are all as short, for so many VMs. */
    static AgentConfig config(Duration wait, int absentAfterScrapes, int maxVms) {
        return config(wait, absentAfterScrapes, maxVms, AssignmentMode.PROCESSES, "");
    }

    private static AgentConfig config(
            Duration wait, int absentAfterScrapes, int maxVms, AssignmentMode share, String node) {
        return new AgentConfig(
                AgentConfig.DEFAULTS.computeUnit(),
                ScalingConfig.DEFAULTS,
                PolicyConfig.DEFAULTS,
                PolicyConfig.DEFAULTS,
                Duration.ofSeconds(1),
                Duration.ofMillis(10),
                wait,
                wait,
                wait,
                wait,
                wait,
                Duration.ofSeconds(1),
                PermitSafety.STRICT,
                Duration.ofSeconds(10),
                ConfirmationMode.PATCH,
                Duration.ofSeconds(1),
                0,
                wait,
                Duration.ofSeconds(1),
                1 << 16,
                1,
                absentAfterScrapes,
                GuestMetricNames.VECTOR,
                LfcScrape.DEFAULTS,
                wait.multipliedBy(5),
                Duration.ofSeconds(13),
                Duration.ofSeconds(60),
                wait.multipliedBy(2),
                wait.multipliedBy(4),
                wait.multipliedBy(8),
                Duration.ofSeconds(10),
                ScalingEventRecorderConfig.DEFAULTS,
                maxVms,
                SchedulerConfig.DEFAULTS,
                share,
                node);
    }
}
