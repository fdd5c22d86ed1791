package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.pace.OptionalInstants;
import io.sluice.agent.core.pace.PendingRequest;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.agent.core.status.Freshness;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Scales one VM on one node: it opens a session with the ledger, writes its fence on the VM, and then sends permit
 * requests, patches and requests to the monitor.
 *
 * <p>The contract with its caller. The first event is {@link RunnerEvent.Started}; {@code now} never falls. Each
 * numbered action is sent once and reported back once, by its reply or by {@link RunnerEvent.RequestFailed}; a reply
 * that arrives after its request was given up changes nothing. After each event there is one
 * {@link RunnerAction.WakeAt}, which replaces the one before, until {@link RunnerAction.Stop}, which is the last action
 * ever. A runner that stops first waits for the replies of ledger, driver and guest. Another runner for the same VM
 * needs another id, and gets the {@link RunnerHandover} of the one before. Observations of the VM must have the fence
 * that the VM has: only so are observations from before the claim separated from those after it.
 *
 * <p>Mutable, for one thread, and without any clock: the same events at the same times give the same actions.
 */
public final class Runner {
    private final RunnerConfig config;
    private final RandomGenerator random;
    private final RunnerHandover resume;
    private final VmPod pod;
    private final RunnerRequests requests;
    private final RunnerReports reports;
    private final MonitorSessionState link = new MonitorSessionState();
    private final RunnerContext setting;
    private final VmObjectView view;
    private Optional<VmSignals> signals = Optional.empty();
    private RunnerPhase phase;
    private Instant startedAt = Instant.EPOCH;
    private boolean recorded;

    /**
     * A runner that has not started yet.
     *
     * @param id different from that of any other runner, ever; without a slash
     * @param vm one that {@link #serves} is true of
     * @param resume what the runner before it handed over
     * @param random for jitter alone
     */
    public Runner(RunnerConfig config, String id, VmObserved vm, RunnerHandover resume, RandomGenerator random) {
        this.config = config;
        this.random = random;
        this.resume = resume;
        this.pod = VmPod.of(vm);
        this.requests = new RunnerRequests(config.requestDeadline());
        this.reports = new RunnerReports(pod, config.reportEvery(), requests);
        this.setting = new RunnerContext(id, pod, config, link, requests, reports);
        this.view = new VmObjectView(vm, config.core().scaling(), resume.overrides());
        this.phase = new RunnerPhase.Entering(new SessionOpening(setting, resume));
    }

    /** Whether a VM is to have a runner. */
    public static boolean serves(VmObserved vm) {
        return vm.phase().served()
                && vm.autoscaled()
                && !vm.pod().isEmpty()
                && !vm.node().isEmpty()
                && VmObjectView.reachable(vm.metrics()).isPresent();
    }

    /** Handles an event and returns the actions to carry out. */
    public List<RunnerAction> on(RunnerEvent event, Instant now) {
        if (phase instanceof RunnerPhase.Stopped) {
            return List.of();
        }
        serving().ifPresent(it -> it.core().record(recorded, now));
        requests.overdue(now).forEach(number -> lost(number, "no reply in " + config.requestDeadline(), now));
        take(event, now);
        progress(event, now);
        return requests.drain();
    }

    /** Its current state. */
    public RunnerState state() {
        return switch (phase) {
            case RunnerPhase.Entering(var entry) ->
                new RunnerState(entry.stage(), entry.session(), 0, "", Optional.empty());
            case RunnerPhase.Working(var serving) -> RunnerState.of(RunnerState.Stage.SERVING, serving);
            case RunnerPhase.Stopping(var _, var serving) ->
                serving.map(last -> RunnerState.of(RunnerState.Stage.STOPPING, last))
                        .orElse(new RunnerState(RunnerState.Stage.STOPPING, 0, 0, "", Optional.empty()));
            case RunnerPhase.Stopped _ -> new RunnerState(RunnerState.Stage.STOPPED, 0, 0, "", Optional.empty());
        };
    }

    /** The VM and pod that it scales. */
    public VmPod pod() {
        return pod;
    }

    /** How far it has come. */
    public RunnerState.Stage stage() {
        return switch (phase) {
            case RunnerPhase.Entering(var entry) -> entry.stage();
            case RunnerPhase.Working _ -> RunnerState.Stage.SERVING;
            case RunnerPhase.Stopping _ -> RunnerState.Stage.STOPPING;
            case RunnerPhase.Stopped _ -> RunnerState.Stage.STOPPED;
        };
    }

    /** The VM's status as of the last event; after the end, the last one. */
    public ScalingStatus status(Instant now) {
        return switch (phase) {
            case RunnerPhase.Entering(var entry) -> newcomer(entry.reserved(), entry.cause());
            case RunnerPhase.Working(var serving) -> {
                var status = serving.status(view.observed().phase(), now);
                yield status.because(
                        status.cause().asOf(freshness()).beside(serving.goals().shadowWords()));
            }
            case RunnerPhase.Stopping(var ending, var serving) -> status(ending, serving, now);
            case RunnerPhase.Stopped(var ending, var serving) -> status(ending, serving, now);
        };
    }

    private ScalingStatus status(PendingStop ending, Optional<ServingState> serving, Instant now) {
        return serving.map(last -> last.status(view.observed().phase(), now))
                .orElseGet(() -> newcomer(Optional.empty(), ending.cause()))
                .because(ending.cause());
    }

    private ScalingStatus newcomer(Optional<Resources> reserved, WaitCause cause) {
        return ScalingStatus.unserved(pod, view.observed().sizes().spec(), reserved, cause);
    }

    /** How fresh the metrics of its VM are. */
    public Freshness.OfVm freshness() {
        return signals.map(VmSignals::freshness).orElse(Freshness.OfVm.UNKNOWN);
    }

    /** What it has counted and timed since the last call. */
    public RunnerMeasurements takeMeasures() {
        return lastServing()
                .map(serving -> new RunnerMeasurements(
                        serving.takeQueries(), serving.core().takeLatencies()))
                .orElse(RunnerMeasurements.NONE);
    }

    /** The overrides of the scaling config that are in force for its VM; the next runner gets them. */
    public ScalingOverrides overrides() {
        return view.overrides();
    }

    /** Whether a reply of its VM's monitor is awaited. */
    public boolean waitsForGuest() {
        return requests.any(
                pending -> pending instanceof PendingRequest.GuestUp || pending instanceof PendingRequest.GuestDown);
    }

    /** Whether what happens to its scaling core is kept, from the next event on. */
    public void record(boolean wanted) {
        recorded = wanted;
    }

    /** What happened to its scaling core at the last event, while that is kept. */
    public Optional<CoreEntry.Step> takeStep() {
        return lastServing().flatMap(serving -> serving.core().takeStep());
    }

    /** Different from that of any other runner. */
    public String id() {
        return setting.runnerId();
    }

    /** What its VM's metrics ask for by the policy in force, in compute units; 0 until it serves. */
    public int goalCu() {
        return lastServing().map(ServingState::goalCu).orElse(0);
    }

    /** What the policy beside it asks for; empty without one, and without metrics. */
    public Optional<Integer> shadowCu() {
        return lastServing().flatMap(serving -> serving.goals().shadowCu());
    }

    /** All data of its scaling core; empty until it serves. */
    public Optional<CoreDetail> detail() {
        return lastServing().map(serving -> serving.core().detail());
    }

    private void take(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.Started _ -> {
                startedAt = now;
                signals = Optional.of(new VmSignals(setting, now, random));
            }
            case RunnerEvent.Woken _ -> {}
            case RunnerEvent.VmChanged(var vm) -> vmChanged(vm, now);
            case RunnerEvent.VmDeleted _ -> stop(new PendingStop(StopReason.GONE, "the VM was deleted"));
            case RunnerEvent.HandedOver _ ->
                stop(new PendingStop(StopReason.HANDED_OVER, "the VM is assigned to another process"));
            case RunnerEvent.MonitorMoved _ -> monitorMoved(now);
            case RunnerEvent.SessionAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Open.class)
                        .flatMap(request -> entry())
                        .ifPresent(
                                it -> it.opened(reply, view.observed().sizes().max(), now));
            case RunnerEvent.ClaimAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Claim.class)
                        .flatMap(request -> entry().flatMap(it -> it.claimed(request, reply, now)))
                        .ifPresent(entered -> serve(entered, now));
            case RunnerEvent.PermitAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Permit.class)
                        .ifPresent(request -> serving().ifPresent(it -> it.answered(request, reply, now)));
            case RunnerEvent.PatchAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Patch.class)
                        .ifPresent(sent -> serving().ifPresent(it -> it.answered(sent, reply, now)));
            case RunnerEvent.GuestAnswered(var number, var reply) -> {
                requests.take(number, PendingRequest.GuestUp.class)
                        .ifPresent(
                                reported -> serving().ifPresent(it -> it.guest().sent(reply, now)));
                requests.take(number, PendingRequest.GuestDown.class)
                        .ifPresent(
                                request -> serving().ifPresent(it -> it.guest().answered(request, reply, now)));
            }
            case RunnerEvent.MonitorAttached(var number, var state) ->
                requests.take(number, PendingRequest.Attach.class)
                        .filter(request -> link.answered(state, request.generationWhenRequested()))
                        .ifPresent(
                                changed -> serving().ifPresent(it -> it.guest().sessionChanged(now)));
            case RunnerEvent.MonitorChanged(var state) -> {
                if (link.received(state)) {
                    serving().ifPresent(it -> it.guest().sessionChanged(now));
                }
            }
            case RunnerEvent.UpscaleRequested(var upscaleRequest) -> {
                if (link.upscaleRequested(upscaleRequest, now)) {
                    serving().ifPresent(it -> it.guest().upscaleRequested(now));
                }
            }
            case RunnerEvent.SampleAvailable() -> signals.ifPresent(it -> it.sampleAvailable(now));
            case RunnerEvent.Scraped(var number, var reading) ->
                requests.take(number, PendingRequest.Scrape.class).ifPresent(request -> scraped(reading, now));
            case RunnerEvent.LfcScraped(var number, var reading) ->
                requests.take(number, PendingRequest.ScrapeLfc.class).ifPresent(request -> lfcScraped(reading, now));
            case RunnerEvent.RequestFailed(var number, var reason) -> lost(number, reason, now);
        }
    }

    private void lost(long number, String reason, Instant now) {
        requests.take(number, PendingRequest.class).ifPresent(pending -> {
            switch (pending) {
                case PendingRequest.Open _ -> entry().ifPresent(it -> it.openFailed(reason, now));
                case PendingRequest.Claim _ -> entry().ifPresent(it -> it.claimFailed(reason, now));
                case PendingRequest.Attach _ -> attachLost(reason, now);
                case PendingRequest.ScrapeLfc _ -> signals.ifPresent(it -> it.lfcScrapeFailed(reason, now));
                case PendingRequest.Scrape _ -> signals.ifPresent(it -> it.scrapeFailed(reason, now));
                case PendingRequest.Permit _ -> serving().ifPresent(it -> it.permitFailed(reason, now));
                case PendingRequest.Patch _ -> serving().ifPresent(it -> it.patchInDoubt(reason, now));
                case PendingRequest.GuestUp _ ->
                    serving().ifPresent(it -> it.guest().tellingFailed(reason, now));
                case PendingRequest.GuestDown _ ->
                    serving().ifPresent(it -> it.guest().requestFailed(reason, now));
            }
        });
    }

    private void attachLost(String reason, Instant now) {
        reports.warn(RunnerReports.Topic.MONITOR, "no process keeps the monitor's session: " + reason, now);
        if (link.lost()) {
            serving().ifPresent(it -> it.guest().sessionChanged(now));
        }
    }

    private void scraped(MetricsReading reading, Instant now) {
        signals.flatMap(it -> it.scraped(reading, now))
                .ifPresent(metrics -> serving().ifPresent(it -> it.goals().sampled(it.core(), metrics, now)));
    }

    /**
     * Metrics of a file cache are dropped before the runner serves, as no core would be notified when they grow old.
     */
    private void lfcScraped(LfcReading reading, Instant now) {
        serving()
                .ifPresent(it -> signals.flatMap(received -> received.lfcScraped(reading, now))
                        .ifPresent(metrics -> it.core().lfcMetrics(metrics, now)));
    }

    private void vmChanged(VmObserved vm, Instant now) {
        if (!view.take(vm)) {
            return;
        }
        if (vm.phase() == VmPhase.MIGRATING) {
            stop(new PendingStop(StopReason.MIGRATING, "the VM is on its way to another node"));
        } else if (!vm.phase().served() || !vm.autoscaled()) {
            stop(new PendingStop(
                    StopReason.NOT_SERVED, vm.autoscaled() ? "the VM is " + vm.phase() : "not autoscaled"));
        } else if (pod.leftBehindBy(vm)) {
            stop(new PendingStop(
                    StopReason.MOVED, "the VM runs in pod " + vm.pod() + " on node " + vm.node() + " now"));
        } else {
            serving().ifPresent(it -> updateCore(it, vm.fence(), now));
        }
    }

    private void updateCore(ServingState serving, String fence, Instant now) {
        serving.fenceObserved(fence);
        var using = serving.core().using();
        serving.vmObserved(view.info(using, now), now);
    }

    private void progress(RunnerEvent event, Instant now) {
        switch (phase) {
            case RunnerPhase.Entering(var entry) -> entry.advance(now);
            case RunnerPhase.Working(var serving) -> work(serving, event, now);
            case RunnerPhase.Stopping _, RunnerPhase.Stopped _ -> {}
        }
        complain(now);
        if (phase instanceof RunnerPhase.Stopping(var ending, var serving)) {
            leaveIfDone(ending, serving, now);
        } else {
            signals.ifPresent(it -> it.advance(view.reach(lfcCounts()), pod, now));
        }
        wake(now);
    }

    private void complain(Instant now) {
        switch (phase) {
            case RunnerPhase.Entering _ ->
                reports.complaints(view.complaints(), view.observed().sizes().spec(), GoalBasis.NONE, now);
            case RunnerPhase.Working(var serving) -> serving.reportComplaints(view.complaints(), now);
            case RunnerPhase.Stopping _, RunnerPhase.Stopped _ -> {}
        }
    }

    private void work(ServingState serving, RunnerEvent event, Instant now) {
        if (signals.isPresent() && signals.get().grewOld(now)) {
            serving.core().systemMetricsAbsent(now);
            serving.goals().absent();
        }
        if (signals.isPresent() && signals.get().lfcGrewOld(now)) {
            serving.core().lfcMetricsAbsent(now);
        }
        if (serving.ending().isPresent()) {
            stop(serving.ending().get());
            return;
        }
        boolean upscaleRequest = event instanceof RunnerEvent.UpscaleRequested(var by) && link.belongs(by);
        boolean load = event instanceof RunnerEvent.Scraped || event instanceof RunnerEvent.LfcScraped;
        serving.advance(now, upscaleRequest || load);
        if (upscaleRequest) {
            serving.reportUpscaleRequest(now);
        }
    }

    private void serve(SessionOpening.Entered entered, Instant now) {
        view.claimed(entered.fence(), entered.claim());
        var jitter = config.requestTickJitter();
        var shorter = jitter.isZero() ? jitter : Duration.ofNanos(random.nextLong(jitter.toNanos()));
        var core = view.newCore(config.coreWithTickShorterBy(shorter), now);
        core.record(recorded, now);
        var serving = new ServingState(setting, core, entered, new ScalingEventRecorder(view, config, requests));
        if (!entered.claim().settled()) {
            serving.core().foundUnsettled(entered.reserved(), now);
        }
        signals.flatMap(VmSignals::sample)
                .ifPresent(sample -> serving.goals().sampled(core, sample.metrics(), sample.at()));
        serving.guest().begin(now);
        phase = new RunnerPhase.Working(serving);
    }

    private Optional<ServingState> serving() {
        return switch (phase) {
            case RunnerPhase.Working(var serving) -> Optional.of(serving);
            case RunnerPhase.Stopping(var _, var serving) -> serving;
            case RunnerPhase.Entering _, RunnerPhase.Stopped _ -> Optional.empty();
        };
    }

    private boolean lfcCounts() {
        return serving().filter(it -> it.core().scrapesLfc()).isPresent();
    }

    private Optional<ServingState> lastServing() {
        return phase instanceof RunnerPhase.Stopped(var _, var last) ? last : serving();
    }

    private Optional<SessionOpening> entry() {
        return phase instanceof RunnerPhase.Entering(var entry) ? Optional.of(entry) : Optional.empty();
    }

    /** The first reason counts. */
    private void stop(PendingStop ending) {
        if (!(phase instanceof RunnerPhase.Stopping)) {
            serving().ifPresent(it -> it.end(ending));
            phase = new RunnerPhase.Stopping(ending, serving());
        }
    }

    /** A runner that stops ends the session where it is. */
    private void monitorMoved(Instant now) {
        if (!(phase instanceof RunnerPhase.Stopping)) {
            signals.ifPresent(it -> it.monitorMoved(pod, now));
        }
    }

    private void leaveIfDone(PendingStop ending, Optional<ServingState> serving, Instant now) {
        if (requests.any(PendingRequest::weighs)) {
            return;
        }
        if (ending.letsGoOfMonitor()) {
            requests.act(link.detach(pod));
        }
        phase = new RunnerPhase.Stopped(ending, serving);
        long session = serving.map(ServingState::session).orElse(resume.lastSessionOf(pod.pod()));
        var left = new RunnerHandover(session, pod.pod(), 0, view.overrides());
        var lived = Duration.between(startedAt, now);
        requests.act(ending.stop(config.restarts(), resume, left, lived, random));
    }

    private void wake(Instant now) {
        if (phase instanceof RunnerPhase.Stopped) {
            return;
        }
        Optional<Instant> own = switch (phase) {
            case RunnerPhase.Entering(var entry) -> entry.wakeAt();
            case RunnerPhase.Working(var serving) -> serving.wakeAt();
            case RunnerPhase.Stopping _, RunnerPhase.Stopped _ -> Optional.empty();
        };
        var received =
                phase instanceof RunnerPhase.Stopping ? Optional.<Instant>empty() : signals.flatMap(VmSignals::wakeAt);
        var next = OptionalInstants.sooner(OptionalInstants.sooner(own, received), requests.nextDeadline());
        next.map(when -> when.isAfter(now) ? when : now.plusMillis(1))
                .ifPresent(when -> requests.act(new RunnerAction.WakeAt(when)));
    }
}
