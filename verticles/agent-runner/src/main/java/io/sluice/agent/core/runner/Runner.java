package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.scaling.CoreDetail;
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
 * Speaks for one VM on one node: opens a session with the ledger, writes its fence on the VM, and from then on scales
 * it.
 *
 * <p>The contract with whoever drives it. The first event is {@link RunnerEvent.Started}; {@code now} never falls. Each
 * numbered action is sent once and reported back once, by its answer or by {@link RunnerEvent.RequestFailed}; an answer
 * that comes after its request was given up changes nothing. After each event there is one {@link RunnerAction.WakeAt},
 * which takes the place of the one before, until {@link RunnerAction.Stop}, which is the last action ever. A runner
 * that stops first waits for the answers to what it asked of ledger, driver and guest. Another runner for the same VM
 * needs another id, and gets the {@link RunnerHandover} of the one before. Facts about the VM must carry its fence as
 * it stands: only so are facts from before the claim told from those after it.
 *
 * <p>Mutable, for one thread, and without any clock: the same events at the same times give the same actions.
 */
public final class Runner {
    private final RunnerConfig config;
    private final RandomGenerator random;
    private final RunnerHandover resume;
    private final VmPod member;
    private final RunnerRequests requests;
    private final RunnerReports reports;
    private final MonitorSessionState link = new MonitorSessionState();
    private final RunnerContext setting;
    private final VmObjectView view;
    private Optional<VmSignals> senses = Optional.empty();
    private RunnerPhase phase;
    private Instant startedAt = Instant.EPOCH;

    /**
     * A runner that has not started yet.
     *
     * @param id unlike that of any other runner, ever; without a slash
     * @param vm one that {@link #serves} is true of
     * @param resume what the runner before it left
     * @param random for jitter alone
     */
    public Runner(RunnerConfig config, String id, VmObserved vm, RunnerHandover resume, RandomGenerator random) {
        this.config = config;
        this.random = random;
        this.resume = resume;
        this.member = VmPod.of(vm);
        this.requests = new RunnerRequests(config.requestDeadline());
        this.reports = new RunnerReports(member, config.reportEvery(), requests);
        this.setting = new RunnerContext(id, member, config, link, requests, reports);
        this.view = new VmObjectView(vm, config.core().scaling(), resume.overrides());
        this.phase = new RunnerPhase.Entering(new SessionOpening(setting, resume));
    }

    /** Whether a VM is one that a runner should speak for. */
    public static boolean serves(VmObserved vm) {
        return vm.phase().served()
                && vm.autoscaled()
                && !vm.pod().isEmpty()
                && !vm.node().isEmpty()
                && VmObjectView.reachable(vm.metrics()).isPresent();
    }

    /** Takes in what happened and answers what to do. */
    public List<RunnerAction> on(RunnerEvent event, Instant now) {
        if (phase instanceof RunnerPhase.Stopped) {
            return List.of();
        }
        requests.overdue(now).forEach(number -> lost(number, "no answer in " + config.requestDeadline(), now));
        take(event, now);
        progress(event, now);
        return requests.drain();
    }

    /** Where it stands now. */
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

    /** Whom it speaks for. */
    public VmPod member() {
        return member;
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

    /** Where its VM stands, as of the last event; after the end, what the VM is left with. */
    public ScalingStatus standing(Instant now) {
        return switch (phase) {
            case RunnerPhase.Entering(var entry) -> newcomer(entry.booked(), entry.cause());
            case RunnerPhase.Working(var serving) -> {
                var standing = serving.standing(view.seen().phase(), now);
                yield standing.because(standing.cause().asOf(freshness()));
            }
            case RunnerPhase.Stopping(var ending, var serving) -> standing(ending, serving, now);
            case RunnerPhase.Stopped(var ending, var serving) -> standing(ending, serving, now);
        };
    }

    private ScalingStatus standing(PendingStop ending, Optional<ServingState> serving, Instant now) {
        return serving.map(last -> last.standing(view.seen().phase(), now))
                .orElseGet(() -> newcomer(Optional.empty(), ending.cause()))
                .because(ending.cause());
    }

    private ScalingStatus newcomer(Optional<Resources> booked, WaitCause cause) {
        var size = view.seen().sizes().spec();
        return new ScalingStatus(member, size, Optional.empty(), booked, GoalBasis.NONE, cause);
    }

    /** How fresh what it knows of its VM's load is. */
    public Freshness.OfVm freshness() {
        return senses.map(VmSignals::freshness).orElse(Freshness.OfVm.UNKNOWN);
    }

    /** What it has counted and timed since the last call. */
    public RunnerMeasurements takeMeasures() {
        return lastServing()
                .map(serving -> new RunnerMeasurements(
                        serving.takeQueries(), serving.core().takeLatencies()))
                .orElse(RunnerMeasurements.NONE);
    }

    /** What holds of its VM's own scaling config; the next runner is to be told. */
    public ScalingOverrides overrides() {
        return view.overrides();
    }

    /** Whether an answer of its VM's monitor is awaited. */
    public boolean waitsForGuest() {
        return requests.any(
                pending -> pending instanceof PendingRequest.GuestUp || pending instanceof PendingRequest.GuestDown);
    }

    /** All that its scaling core knows; empty until it serves. */
    public Optional<CoreDetail> detail() {
        return lastServing().map(serving -> serving.core().detail());
    }

    private void take(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.Started _ -> {
                startedAt = now;
                senses = Optional.of(new VmSignals(setting, now, random));
            }
            case RunnerEvent.Woken _ -> {}
            case RunnerEvent.VmChanged(var vm) -> vmChanged(vm, now);
            case RunnerEvent.VmDeleted _ -> stop(new PendingStop(StopReason.GONE, "the VM was deleted"));
            case RunnerEvent.HandedOver _ ->
                stop(new PendingStop(StopReason.HANDED_OVER, "another process speaks for the VM"));
            case RunnerEvent.MonitorMoved _ -> monitorMoved(now);
            case RunnerEvent.SessionAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Open.class)
                        .flatMap(asked -> entry())
                        .ifPresent(it -> it.opened(reply, view.seen().sizes().max(), now));
            case RunnerEvent.ClaimAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Claim.class)
                        .flatMap(asked -> entry().flatMap(it -> it.claimed(asked, reply, now)))
                        .ifPresent(entered -> serve(entered, now));
            case RunnerEvent.PermitAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Permit.class)
                        .ifPresent(asked -> serving().ifPresent(it -> it.answered(asked, reply, now)));
            case RunnerEvent.PatchAnswered(var number, var reply) ->
                requests.take(number, PendingRequest.Patch.class)
                        .ifPresent(sent -> serving().ifPresent(it -> it.answered(sent, reply, now)));
            case RunnerEvent.GuestAnswered(var number, var reply) -> {
                requests.take(number, PendingRequest.GuestUp.class)
                        .ifPresent(told -> serving().ifPresent(it -> it.guest().told(reply, now)));
                requests.take(number, PendingRequest.GuestDown.class)
                        .ifPresent(asked -> serving().ifPresent(it -> it.guest().answered(asked, reply, now)));
            }
            case RunnerEvent.MonitorAttached(var number, var state) ->
                requests.take(number, PendingRequest.Attach.class)
                        .filter(asked -> link.answered(state, asked.generationWhenAsked()))
                        .ifPresent(
                                changed -> serving().ifPresent(it -> it.guest().sessionChanged(now)));
            case RunnerEvent.MonitorChanged(var state) -> {
                if (link.heard(state)) {
                    serving().ifPresent(it -> it.guest().sessionChanged(now));
                }
            }
            case RunnerEvent.UpscaleRequested(var cry) -> {
                if (link.cried(cry, now)) {
                    serving().ifPresent(it -> it.guest().cried(now));
                }
            }
            case RunnerEvent.Scraped(var number, var reading) ->
                requests.take(number, PendingRequest.Scrape.class).ifPresent(asked -> scraped(reading, now));
            case RunnerEvent.LfcScraped(var number, var reading) ->
                requests.take(number, PendingRequest.ScrapeLfc.class).ifPresent(asked -> lfcScraped(reading, now));
            case RunnerEvent.RequestFailed(var number, var reason) -> lost(number, reason, now);
        }
    }

    private void lost(long number, String reason, Instant now) {
        requests.take(number, PendingRequest.class).ifPresent(pending -> {
            switch (pending) {
                case PendingRequest.Open _ -> entry().ifPresent(it -> it.openFailed(reason, now));
                case PendingRequest.Claim _ -> entry().ifPresent(it -> it.claimFailed(reason, now));
                case PendingRequest.Attach _ -> attachLost(reason, now);
                case PendingRequest.ScrapeLfc _ -> senses.ifPresent(it -> it.lfcScrapeFailed(reason, now));
                case PendingRequest.Scrape _ -> senses.ifPresent(it -> it.scrapeFailed(reason, now));
                case PendingRequest.Permit _ -> serving().ifPresent(it -> it.permitFailed(reason, now));
                case PendingRequest.Patch _ -> serving().ifPresent(it -> it.patchInDoubt(reason, now));
                case PendingRequest.GuestUp _ ->
                    serving().ifPresent(it -> it.guest().tellingFailed(reason, now));
                case PendingRequest.GuestDown _ ->
                    serving().ifPresent(it -> it.guest().askingFailed(reason, now));
            }
        });
    }

    private void attachLost(String reason, Instant now) {
        reports.warn(RunnerReports.Topic.MONITOR, "nobody keeps the monitor's session: " + reason, now);
        if (link.lost()) {
            serving().ifPresent(it -> it.guest().sessionChanged(now));
        }
    }

    private void scraped(MetricsReading reading, Instant now) {
        senses.flatMap(it -> it.scraped(reading, now))
                .ifPresent(metrics -> serving().ifPresent(it -> it.core().systemMetrics(metrics, now)));
    }

    /** What a runner hears of a file cache before it serves would have nobody to tell when it grows old. */
    private void lfcScraped(LfcReading reading, Instant now) {
        serving()
                .ifPresent(it -> senses.flatMap(heard -> heard.lfcScraped(reading, now))
                        .ifPresent(metrics -> it.core().lfcMetrics(metrics, now)));
    }

    private void vmChanged(VmObserved vm, Instant now) {
        if (!view.take(vm)) {
            return;
        }
        if (vm.phase() == VmPhase.MIGRATING) {
            stop(new PendingStop(StopReason.MIGRATING, "the VM is on its way to another node"));
        } else if (!vm.phase().served() || !vm.autoscaled()) {
            stop(new PendingStop(StopReason.NOT_SERVED, vm.autoscaled() ? "the VM is " + vm.phase() : "switched off"));
        } else if (member.leftBehindBy(vm)) {
            stop(new PendingStop(
                    StopReason.MOVED, "the VM runs in pod " + vm.pod() + " on node " + vm.node() + " now"));
        } else {
            serving().ifPresent(it -> updateCore(it, vm.fence(), now));
        }
    }

    private void updateCore(ServingState serving, String fence, Instant now) {
        serving.fenceSeen(fence);
        var using = serving.core().using();
        serving.vmSeen(view.info(using, now), now);
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
            senses.ifPresent(it -> it.advance(view.reach(lfcCounts()), member, now));
        }
        wake(now);
    }

    private void complain(Instant now) {
        switch (phase) {
            case RunnerPhase.Entering _ ->
                reports.complaints(view.complaints(), view.seen().sizes().spec(), GoalBasis.NONE, now);
            case RunnerPhase.Working(var serving) -> serving.reportComplaints(view.complaints(), now);
            case RunnerPhase.Stopping _, RunnerPhase.Stopped _ -> {}
        }
    }

    private void work(ServingState serving, RunnerEvent event, Instant now) {
        if (senses.isPresent() && senses.get().grewOld(now)) {
            serving.core().systemMetricsAbsent(now);
        }
        if (senses.isPresent() && senses.get().lfcGrewOld(now)) {
            serving.core().lfcMetricsAbsent(now);
        }
        if (serving.ending().isPresent()) {
            stop(serving.ending().get());
            return;
        }
        boolean cry = event instanceof RunnerEvent.UpscaleRequested(var by) && link.belongs(by);
        boolean load = event instanceof RunnerEvent.Scraped || event instanceof RunnerEvent.LfcScraped;
        serving.advance(now, cry || load);
        if (cry) {
            serving.reportCry(now);
        }
    }

    private void serve(SessionOpening.Entered entered, Instant now) {
        view.claimed(entered.fence(), entered.claim());
        var jitter = config.requestTickJitter();
        var shorter = jitter.isZero() ? jitter : Duration.ofNanos(random.nextLong(jitter.toNanos()));
        var core = view.newCore(config.coreWithTickShorterBy(shorter), now);
        var serving = new ServingState(setting, core, entered, new ScalingEventRecorder(view, config, requests));
        if (!entered.claim().settled()) {
            serving.core().foundUnsettled(entered.booked());
        }
        senses.flatMap(VmSignals::sample)
                .ifPresent(sample -> serving.core().systemMetrics(sample.metrics(), sample.at()));
        serving.guest().greet(now);
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
        return serving().filter(it -> it.core().wantsLfc()).isPresent();
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

    /** One that stops lets go of the session where it is. */
    private void monitorMoved(Instant now) {
        if (!(phase instanceof RunnerPhase.Stopping)) {
            senses.ifPresent(it -> it.monitorMoved(member, now));
        }
    }

    private void leaveIfDone(PendingStop ending, Optional<ServingState> serving, Instant now) {
        if (requests.any(PendingRequest::weighs)) {
            return;
        }
        if (ending.letsGoOfMonitor()) {
            requests.act(link.detach(member));
        }
        phase = new RunnerPhase.Stopped(ending, serving);
        long session = serving.map(ServingState::session).orElse(resume.lastSessionOf(member.pod()));
        var left = new RunnerHandover(session, member.pod(), 0, view.overrides());
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
        var heard =
                phase instanceof RunnerPhase.Stopping ? Optional.<Instant>empty() : senses.flatMap(VmSignals::wakeAt);
        var next = OptionalInstants.sooner(OptionalInstants.sooner(own, heard), requests.nextDeadline());
        next.map(when -> when.isAfter(now) ? when : now.plusMillis(1))
                .ifPresent(when -> requests.act(new RunnerAction.WakeAt(when)));
    }
}
