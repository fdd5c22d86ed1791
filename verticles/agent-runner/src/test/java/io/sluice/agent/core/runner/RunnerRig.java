package io.sluice.agent.core.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Drives one runner by hand: passes events to it, and stores its actions. */
public final class RunnerRig {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final VmId VM = new VmId("neonvm", "default", "vm-a", "uid-a");
    public static final RunnerConfig CONFIG = new RunnerConfig(
            CoreConfig.DEFAULTS,
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            3,
            LfcScrape.DEFAULTS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            new RestartPace(
                    Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10)),
            ScalingEventRecorderConfig.DEFAULTS,
            PolicyPair.DEFAULTS);

    final Runner runner;
    Instant now = START;
    List<RunnerAction> last = List.of();
    final List<Decision> decisions = new ArrayList<>();
    final List<ScalingRecorded> entries = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();

    /** What the driver adds to the name of a claim. */
    String writtenOver = "";

    private long attach;

    RunnerRig(VmObserved vm, RunnerHandover resume) {
        this(vm, resume, 7);
    }

    RunnerRig(VmObserved vm, RunnerHandover resume, long seed) {
        this(new Runner(CONFIG, "r", vm, resume, new Random(seed)));
    }

    private RunnerRig(Runner runner) {
        this.runner = runner;
    }

    /** The same for a VM with this observation. */
    static RunnerRig serving(VmObserved vm, RunnerHandover resume) {
        var rig = new RunnerRig(vm, resume);
        rig.serve();
        return rig;
    }

    /** The same with these policies. */
    static RunnerRig serving(PolicyPair policies) {
        var config = new RunnerConfig(
                CONFIG.core(),
                CONFIG.requestTickJitter(),
                CONFIG.scrapePeriod(),
                CONFIG.absentAfterScrapes(),
                CONFIG.lfc(),
                CONFIG.attachPeriod(),
                CONFIG.requestDeadline(),
                CONFIG.reportEvery(),
                CONFIG.restarts(),
                CONFIG.scalingEvents(),
                policies);
        var rig = new RunnerRig(new Runner(config, "r", vm(1), RunnerHandover.FRESH, new Random(7)));
        rig.serve();
        return rig;
    }

    /** A runner that has its session and fence, with its first permit request granted and its monitor connected. */
    static RunnerRig serving() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.serve();
        rig.report(new RunnerEvent.MonitorAttached(rig.attach, new MonitorState(VM, 4, false, "")));
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 5, true, "")));
        return rig;
    }

    void serve() {
        report(new RunnerEvent.Started());
        attach = only(RunnerAction.AttachToMonitor.class).number();
        report(new RunnerEvent.SessionAnswered(
                only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        claim();
        grant(only(RunnerAction.RequestPermit.class));
    }

    void claim() {
        var request = only(RunnerAction.ClaimFence.class);
        var fence = request.request().runner() + writtenOver + "/0";
        report(new RunnerEvent.ClaimAnswered(
                request.number(), new ClaimReply.Claimed(fence, sizes(cu(4)), true, Optional.empty())));
    }

    RunnerRig report(RunnerEvent event) {
        last = runner.on(event, now);
        for (var action : last) {
            if (action instanceof RunnerAction.Report(var decision)) {
                decisions.add(decision);
            } else if (action instanceof RunnerAction.Record(var recorded)) {
                entries.add(recorded);
            } else if (action instanceof RunnerAction.Warn(var sentence)) {
                warnings.add(sentence);
            }
        }
        return this;
    }

    /** Advances to one wake-up after the other, at most that far; scrapes bring nothing meanwhile. */
    RunnerRig pass(Duration time) {
        var end = now.plus(time);
        var wake = wakeAt();
        while (wake.isPresent() && !wake.get().isAfter(end)) {
            now = wake.get();
            report(new RunnerEvent.Woken());
            if (!all(RunnerAction.RequestPermit.class).isEmpty()
                    || !all(RunnerAction.PatchSize.class).isEmpty()) {
                return this;
            }
            wake = wakeAt();
        }
        now = end;
        return this;
    }

    /** Advances that far under a steady load, in a world that replies to everything but patches. */
    RunnerRig live(Duration time, int cu) {
        var end = now.plus(time);
        while (wakeAt().filter(wake -> !wake.isAfter(end)).isPresent()) {
            now = wakeAt().orElseThrow();
            report(new RunnerEvent.Woken());
            for (var scrape : all(RunnerAction.Scrape.class)) {
                load(scrape, cu);
            }
            for (var request : all(RunnerAction.RequestPermit.class)) {
                grant(request);
            }
        }
        now = end;
        return report(new RunnerEvent.Woken());
    }

    /** The VM's status. */
    ScalingStatus status() {
        return runner.status(now);
    }

    Waiting waiting() {
        return status().cause().waiting();
    }

    /** Why it waits, in words. */
    String why() {
        return status().cause().words().at(now);
    }

    Optional<Instant> wakeAt() {
        return all(RunnerAction.WakeAt.class).stream().findFirst().map(RunnerAction.WakeAt::when);
    }

    /** Passes on a sample that asks for so many compute units, once a scrape is due. */
    RunnerRig sample(int cu) {
        while (all(RunnerAction.Scrape.class).isEmpty()) {
            now = wakeAt().orElseThrow();
            report(new RunnerEvent.Woken());
        }
        return load(only(RunnerAction.Scrape.class), cu);
    }

    private RunnerRig load(RunnerAction.Scrape scrape, int cu) {
        double load = cu * 0.25 * 0.9;
        var metrics = new SystemMetrics(load, load, 1 << 20, 0);
        return report(new RunnerEvent.Scraped(scrape.number(), new MetricsReading.Read(metrics)));
    }

    RunnerRig grant(RunnerAction.RequestPermit request) {
        return rule(request, request.request().target());
    }

    RunnerRig rule(RunnerAction.RequestPermit request, Resources permit) {
        return report(new RunnerEvent.PermitAnswered(request.number(), ruled(request.request(), permit, false)));
    }

    RunnerRig answer(RunnerAction.PatchSize sent, PatchReply reply) {
        return report(new RunnerEvent.PatchAnswered(sent.number(), reply));
    }

    /** The monitor accepts the notification that was sent. */
    RunnerRig guestConfirms() {
        return report(new RunnerEvent.GuestAnswered(
                only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Accepted("")));
    }

    /** The patch that a sample for {@code cu} units leads to, with its permit request granted. */
    RunnerAction.PatchSize patchTo(int cu) {
        sample(cu);
        grant(only(RunnerAction.RequestPermit.class));
        return only(RunnerAction.PatchSize.class);
    }

    /** The object's status shows its size and the revision that made it. */
    RunnerRig shown(long version, Resources size, long revision) {
        return report(new RunnerEvent.VmChanged(observation(
                version,
                "pod-a",
                VmPhase.RUNNING,
                true,
                sizes(size),
                Optional.of(new Revision(revision, 0)),
                "r.1/9")));
    }

    <A extends RunnerAction> A only(Class<A> kind) {
        var found = all(kind);
        assertThat(found).as("%s in %s", kind.getSimpleName(), last).hasSize(1);
        return found.getFirst();
    }

    <A extends RunnerAction> List<A> all(Class<A> kind) {
        return last.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static PermitReply.Ruled ruled(PermitRequest request, Resources permit, boolean migrating) {
        return ruled(request, permit, migrating ? KindDecision.Rule.MIGRATING : KindDecision.Rule.CUT_TO_ROOM);
    }

    static PermitReply.Ruled ruled(PermitRequest request, Resources permit, KindDecision.Rule outcome) {
        return new PermitReply.Ruled(
                request.session(),
                request.seq(),
                permit,
                Duration.ofSeconds(10),
                outcome == KindDecision.Rule.MIGRATING,
                new KindDecision(outcome, 1000, request.target().milliCpu(), permit.milliCpu(), 300, 9700, 10_000),
                new KindDecision(
                        outcome,
                        4L << 30,
                        request.target().memoryBytes(),
                        permit.memoryBytes(),
                        1L << 30,
                        31L << 30,
                        32L << 30));
    }

    static OpenReply opened(long session) {
        return new OpenReply.Opened(session, cu(4), false);
    }

    static Resources cu(int units) {
        return CoreConfig.DEFAULTS.computeUnit().times(units);
    }

    static VmSizes sizes(Resources size) {
        return new VmSizes(cu(1), cu(16), size, Optional.of(size), 1L << 27);
    }

    static VmObserved vm(long version) {
        return observation(version, "pod-a", VmPhase.RUNNING, true, sizes(cu(4)), Optional.empty(), "old/3");
    }

    static VmObserved observation(
            long version,
            String pod,
            VmPhase phase,
            boolean autoscaled,
            VmSizes sizes,
            Optional<Revision> revision,
            String fence) {
        return new VmObserved(
                VM,
                version,
                pod,
                pod,
                "n1",
                phase,
                autoscaled,
                true,
                false,
                sizes,
                Overcommit.OFF,
                ScalingOverrides.NONE,
                revision,
                Optional.empty(),
                fence,
                Optional.of(new Endpoint("127.0.0.1", 9100, "/metrics")),
                Optional.of(new Endpoint("127.0.0.1", 9499, "/lfc")),
                Optional.of(new Endpoint("127.0.0.1", 10301, "/monitor")),
                VmTraits.NONE);
    }
}
