package io.sluice.agent;

import io.sluice.agent.core.metrics.GuestMetricNames;
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
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
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

/** Stand-ins for everybody that an agent talks to, on a real local bus and a real HTTP server; all of them say yes. */
final class Surroundings {
    static final AgentConfig CONFIG = config(Duration.ofMillis(40));

    final Bus bus;
    final Map<String, Double> loads = new ConcurrentHashMap<>();
    final Map<VmId, PatchVm> patched = new ConcurrentHashMap<>();
    final List<OpenSession> opened = new CopyOnWriteArrayList<>();
    final List<Decision> decisions = new CopyOnWriteArrayList<>();
    final List<ScalingNoted> notes = new CopyOnWriteArrayList<>();
    final List<String> heard = new CopyOnWriteArrayList<>();
    final Map<String, AtomicInteger> failuresLeft = new ConcurrentHashMap<>();
    final List<RunnerStatus> statuses = new CopyOnWriteArrayList<>();
    volatile Function<PermitRequest, PermitReply> ledger = Surroundings::grant;
    volatile Function<ResizeGuest, ResizeReply> guest = asked -> new ResizeReply.Accepted("");
    private final Map<VmId, VmObserved> facts = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile Optional<Promise<Void>> held = Optional.empty();
    private int port;

    Surroundings(Vertx vertx) {
        bus = new Bus(vertx);
    }

    Future<?> start(Vertx vertx) {
        return Future.all(List.of(
                        answer(LedgerAddresses.OPEN, question -> {
                            opened.add(question);
                            return new OpenReply.Opened(1, cu(2), false);
                        }),
                        answer(LedgerAddresses.PERMIT, question -> ledger.apply(question)),
                        answer(
                                VmAddresses.CLAIM,
                                claim -> new ClaimReply.Claimed(
                                        claim.runner() + "/0",
                                        facts.get(claim.vm()).sizes(),
                                        true,
                                        facts.get(claim.vm()).currentRevision())),
                        bus.serve(VmAddresses.PATCH, this::patchInTime),
                        answer(MonitorAddresses.ATTACH, attach -> new MonitorState(attach.vm(), 1, true, "")),
                        answer(MonitorAddresses.DETACH, detach -> new MonitorState(detach.vm(), 2, false, "left")),
                        answer(MonitorAddresses.UPSCALE, told -> guest.apply(told)),
                        answer(MonitorAddresses.DOWNSCALE, asked -> guest.apply(asked)),
                        bus.subscribe(AgentAddresses.DECISION, decisions::add),
                        bus.subscribe(AgentAddresses.SCALING_NOTED, notes::add),
                        bus.subscribe(AgentAddresses.STATUS, statuses::add),
                        bus.subscribe(ClusterAddresses.RESYNC_WANTED, wanted -> heard.add("resync " + wanted.by()))))
                .compose(ready -> vertx.createHttpServer()
                        .requestHandler(this::metrics)
                        .listen(0, "127.0.0.1")
                        .onSuccess(server -> port = server.actualPort()));
    }

    /** Makes the next requests to an address, or scrapes where it is {@code scrape}, fail. */
    void failNext(String address, int times) {
        failuresLeft.put(address, new AtomicInteger(times));
    }

    /** What a VM was last patched to; nothing while it was not. */
    Resources target(VmObserved vm) {
        return Optional.ofNullable(patched.get(vm.vm())).map(PatchVm::target).orElse(Resources.NONE);
    }

    VmObserved vm(String name, int cu) {
        var fact =
                fact(name, 1, new VmSizes(cu(1), cu(16), cu(cu), Optional.of(cu(cu)), 1L << 27), "", Optional.empty());
        facts.put(fact.vm(), fact);
        return fact;
    }

    VmObserved fact(String name, long version, VmSizes sizes, String fence, Optional<Revision> revision) {
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

    /** The VM's object as it stands, with another phase, and in a pod of that name on that node. */
    VmObserved moved(VmObserved vm, VmPhase phase, String pod, String node) {
        var last = facts.get(vm.vm());
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
        facts.put(vm.vm(), moved);
        return moved;
    }

    void see(VmObserved vm) {
        bus.publish(ClusterAddresses.VM_SEEN, vm);
    }

    private <Q, A> Future<Void> answer(RequestAddress<Q, A> address, Function<Q, A> answer) {
        return bus.serve(address, question -> unlessItFails(address.name(), () -> answer.apply(question)));
    }

    private <A> Future<A> unlessItFails(String address, Supplier<A> answer) {
        heard.add(address);
        var left = failuresLeft.get(address);
        if (left != null && left.getAndDecrement() > 0) {
            return Future.failedFuture("not this time");
        }
        return Future.succeededFuture(answer.get());
    }

    /** Patches are answered no more, until {@link #release}. */
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
        var sizes = facts.get(patch.vm()).sizes();
        var shown =
                new VmSizes(sizes.min(), sizes.max(), patch.target(), Optional.of(patch.target()), sizes.slotBytes());
        var before = facts.get(patch.vm());
        var version = before.version() + 1;
        facts.put(
                patch.vm(),
                fact(patch.vm().name(), version - 1, shown, patch.nextFence(), Optional.of(patch.revision())));
        see(moved(before, before.phase(), before.podName(), before.node()));
        return new PatchReply.Patched(version);
    }

    private void metrics(HttpServerRequest request) {
        heard.add("scrape");
        var left = failuresLeft.get("scrape");
        if (left != null && left.getAndDecrement() > 0) {
            request.response().setStatusCode(503).end();
            return;
        }
        double load = loads.getOrDefault(request.path().substring(1), 0.0);
        request.response().end(text(load));
    }

    static String text(double load) {
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

    static PermitReply grant(PermitRequest question) {
        return permit(question, question.target());
    }

    /** Grants that much; what is missing, is missing on the node. */
    static PermitReply permit(PermitRequest question, Resources permit) {
        var target = question.target();
        var verdict = target.exceeds(permit) ? KindDecision.Rule.CUT_TO_ROOM : KindDecision.Rule.GRANTED;
        return new PermitReply.Ruled(
                question.session(),
                question.seq(),
                permit,
                Duration.ofSeconds(10),
                false,
                new KindDecision(verdict, 0, target.milliCpu(), permit.milliCpu(), 0, 9_000, 10_000),
                new KindDecision(verdict, 0, target.memoryBytes(), permit.memoryBytes(), 0, 36L << 30, 40L << 30));
    }

    static AgentConfig config(Duration wait) {
        return config(wait, 3, 50);
    }

    static AgentConfig sharedByNode(String node) {
        return config(Duration.ofMillis(40), 3, 50, AssignmentMode.NODE, node);
    }

    /** One whose waits are all as short, for so many VMs. */
    static AgentConfig config(Duration wait, int absentAfterScrapes, int maxVms) {
        return config(wait, absentAfterScrapes, maxVms, AssignmentMode.MEMBERS, "");
    }

    private static AgentConfig config(
            Duration wait, int absentAfterScrapes, int maxVms, AssignmentMode share, String node) {
        return new AgentConfig(
                AgentConfig.DEFAULTS.computeUnit(),
                ScalingConfig.DEFAULTS,
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
