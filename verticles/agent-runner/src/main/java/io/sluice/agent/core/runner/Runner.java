package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
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
 * numbered action is sent once and reported back once, by its answer or by {@link RunnerEvent.RequestLost}; an answer
 * that comes after its request was given up changes nothing. After each event there is one {@link RunnerAction.WakeAt},
 * which takes the place of the one before, until {@link RunnerAction.Stop}, which is the last action ever. A runner
 * that stops first waits for the answers to what it asked of ledger, driver and guest. Another runner for the same VM
 * needs another id, and gets the {@link Resume} of the one before. Facts about the VM must carry its fence as it
 * stands: only so are facts from before the claim told from those after it.
 *
 * <p>Mutable, for one thread, and without any clock: the same events at the same times give the same actions.
 */
public final class Runner {
    private final RunnerConfig config;
    private final RandomGenerator random;
    private final Resume resume;
    private final Member member;
    private final Requests requests;
    private final Reports reports;
    private final MonitorLink link = new MonitorLink();
    private final Setting setting;
    private final VmView view;
    private Optional<Senses> senses = Optional.empty();
    private Phase phase;
    private Instant startedAt = Instant.EPOCH;

    /**
     * A runner that has not started yet.
     *
     * @param id unlike that of any other runner, ever; without a slash
     * @param vm one that {@link #serves} is true of
     * @param resume what the runner before it left
     * @param random for jitter alone
     */
    public Runner(RunnerConfig config, String id, VmSeen vm, Resume resume, RandomGenerator random) {
        this.config = config;
        this.random = random;
        this.resume = resume;
        this.member = Member.of(vm);
        this.requests = new Requests(config.requestDeadline());
        this.reports = new Reports(member, config.reportEvery(), requests);
        this.setting = new Setting(id, member, config, link, requests, reports);
        this.view = new VmView(vm, config.core().scaling(), resume.overrides());
        this.phase = new Phase.Entering(new Entry(setting, resume));
    }

    /** Whether a VM is one that a runner should speak for. */
    public static boolean serves(VmSeen vm) {
        return vm.phase().served()
                && vm.autoscaled()
                && !vm.pod().isEmpty()
                && !vm.node().isEmpty()
                && VmView.reachable(vm.metrics()).isPresent();
    }

    /** Takes in what happened and answers what to do. */
    public List<RunnerAction> on(RunnerEvent event, Instant now) {
        if (phase instanceof Phase.Stopped) {
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
            case Phase.Entering(var entry) -> new RunnerState(entry.stage(), entry.session(), 0, "", Optional.empty());
            case Phase.Working(var serving) -> RunnerState.of(RunnerState.Stage.SERVING, serving);
            case Phase.Stopping(var _, var serving) ->
                serving.map(last -> RunnerState.of(RunnerState.Stage.STOPPING, last))
                        .orElse(new RunnerState(RunnerState.Stage.STOPPING, 0, 0, "", Optional.empty()));
            case Phase.Stopped _ -> new RunnerState(RunnerState.Stage.STOPPED, 0, 0, "", Optional.empty());
        };
    }

    /** Whom it speaks for. */
    public Member member() {
        return member;
    }

    /** How far it has come. */
    public RunnerState.Stage stage() {
        return switch (phase) {
            case Phase.Entering(var entry) -> entry.stage();
            case Phase.Working _ -> RunnerState.Stage.SERVING;
            case Phase.Stopping _ -> RunnerState.Stage.STOPPING;
            case Phase.Stopped _ -> RunnerState.Stage.STOPPED;
        };
    }

    /** Where its VM stands, as of the last event; after the end, what the VM is left with. */
    public Standing standing(Instant now) {
        return switch (phase) {
            case Phase.Entering(var entry) -> newcomer(entry.booked(), entry.cause());
            case Phase.Working(var serving) -> {
                var standing = serving.standing(view.seen().phase(), now);
                yield standing.because(standing.cause().asOf(freshness()));
            }
            case Phase.Stopping(var ending, var serving) -> standing(ending, serving, now);
            case Phase.Stopped(var ending, var serving) -> standing(ending, serving, now);
        };
    }

    private Standing standing(Ending ending, Optional<Serving> serving, Instant now) {
        return serving.map(last -> last.standing(view.seen().phase(), now))
                .orElseGet(() -> newcomer(Optional.empty(), ending.cause()))
                .because(ending.cause());
    }

    private Standing newcomer(Optional<Resources> booked, Cause cause) {
        var size = view.seen().sizes().spec();
        return new Standing(member, size, Optional.empty(), booked, GoalBasis.NONE, cause);
    }

    /** How fresh what it knows of its VM's load is. */
    public Freshness.OfVm freshness() {
        return senses.map(Senses::freshness).orElse(Freshness.OfVm.UNKNOWN);
    }

    /** What it has counted and timed since the last call. */
    public Measures takeMeasures() {
        return lastServing()
                .map(serving ->
                        new Measures(serving.takeQueries(), serving.core().takeLatencies()))
                .orElse(Measures.NONE);
    }

    /** What holds of its VM's own scaling config; the next runner is to be told. */
    public ScalingOverrides overrides() {
        return view.overrides();
    }

    /** Whether an answer of its VM's monitor is awaited. */
    public boolean waitsForGuest() {
        return requests.any(pending -> pending instanceof Pending.GuestUp || pending instanceof Pending.GuestDown);
    }

    /** All that its scaling core knows; empty until it serves. */
    public Optional<CoreDetail> detail() {
        return lastServing().map(serving -> serving.core().detail());
    }

    private void take(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.Started _ -> {
                startedAt = now;
                senses = Optional.of(new Senses(setting, now, random));
            }
            case RunnerEvent.Woken _ -> {}
            case RunnerEvent.VmChanged(var vm) -> vmChanged(vm, now);
            case RunnerEvent.VmDeleted _ -> stop(new Ending(StopReason.GONE, "the VM was deleted"));
            case RunnerEvent.HandedOver _ ->
                stop(new Ending(StopReason.HANDED_OVER, "another process speaks for the VM"));
            case RunnerEvent.MonitorMoved _ -> monitorMoved(now);
            case RunnerEvent.SessionAnswered(var number, var reply) ->
                requests.take(number, Pending.Open.class)
                        .flatMap(asked -> entry())
                        .ifPresent(it -> it.opened(reply, view.seen().sizes().max(), now));
            case RunnerEvent.ClaimAnswered(var number, var reply) ->
                requests.take(number, Pending.Claim.class)
                        .flatMap(asked -> entry().flatMap(it -> it.claimed(asked, reply, now)))
                        .ifPresent(entered -> serve(entered, now));
            case RunnerEvent.PermitAnswered(var number, var reply) ->
                requests.take(number, Pending.Permit.class)
                        .ifPresent(asked -> serving().ifPresent(it -> it.answered(asked, reply, now)));
            case RunnerEvent.PatchAnswered(var number, var reply) ->
                requests.take(number, Pending.Patch.class)
                        .ifPresent(sent -> serving().ifPresent(it -> it.answered(sent, reply, now)));
            case RunnerEvent.GuestAnswered(var number, var reply) -> {
                requests.take(number, Pending.GuestUp.class)
                        .ifPresent(told -> serving().ifPresent(it -> it.guest().told(reply, now)));
                requests.take(number, Pending.GuestDown.class)
                        .ifPresent(asked -> serving().ifPresent(it -> it.guest().answered(asked, reply, now)));
            }
            case RunnerEvent.MonitorAttached(var number, var state) ->
                requests.take(number, Pending.Attach.class)
                        .filter(asked -> link.answered(state, asked.generationWhenAsked()))
                        .ifPresent(
                                changed -> serving().ifPresent(it -> it.guest().sessionChanged(now)));
            case RunnerEvent.MonitorChanged(var state) -> {
                if (link.heard(state)) {
                    serving().ifPresent(it -> it.guest().sessionChanged(now));
                }
            }
            case RunnerEvent.MemoryCried(var cry) -> {
                if (link.cried(cry, now)) {
                    serving().ifPresent(it -> it.guest().cried(now));
                }
            }
            case RunnerEvent.Scraped(var number, var reading) ->
                requests.take(number, Pending.Scrape.class).ifPresent(asked -> scraped(reading, now));
            case RunnerEvent.LfcScraped(var number, var reading) ->
                requests.take(number, Pending.ScrapeLfc.class).ifPresent(asked -> lfcScraped(reading, now));
            case RunnerEvent.RequestLost(var number, var reason) -> lost(number, reason, now);
        }
    }

    private void lost(long number, String reason, Instant now) {
        requests.take(number, Pending.class).ifPresent(pending -> {
            switch (pending) {
                case Pending.Open _ -> entry().ifPresent(it -> it.openFailed(reason, now));
                case Pending.Claim _ -> entry().ifPresent(it -> it.claimFailed(reason, now));
                case Pending.Attach _ -> attachLost(reason, now);
                case Pending.ScrapeLfc _ -> senses.ifPresent(it -> it.lfcScrapeFailed(reason, now));
                case Pending.Scrape _ -> senses.ifPresent(it -> it.scrapeFailed(reason, now));
                case Pending.Permit _ -> serving().ifPresent(it -> it.permitFailed(reason, now));
                case Pending.Patch _ -> serving().ifPresent(it -> it.patchInDoubt(reason, now));
                case Pending.GuestUp _ -> serving().ifPresent(it -> it.guest().tellingFailed(reason, now));
                case Pending.GuestDown _ -> serving().ifPresent(it -> it.guest().askingFailed(reason, now));
            }
        });
    }

    private void attachLost(String reason, Instant now) {
        reports.warn(Reports.Topic.MONITOR, "nobody keeps the monitor's session: " + reason, now);
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

    private void vmChanged(VmSeen vm, Instant now) {
        if (!view.take(vm)) {
            return;
        }
        if (vm.phase() == VmPhase.MIGRATING) {
            stop(new Ending(StopReason.MIGRATING, "the VM is on its way to another node"));
        } else if (!vm.phase().served() || !vm.autoscaled()) {
            stop(new Ending(StopReason.NOT_SERVED, vm.autoscaled() ? "the VM is " + vm.phase() : "switched off"));
        } else if (member.leftBehindBy(vm)) {
            stop(new Ending(StopReason.MOVED, "the VM runs in pod " + vm.pod() + " on node " + vm.node() + " now"));
        } else {
            serving().ifPresent(it -> updateCore(it, vm.fence(), now));
        }
    }

    private void updateCore(Serving serving, String fence, Instant now) {
        serving.fenceSeen(fence);
        var using = serving.core().using();
        serving.vmSeen(view.info(using, now), now);
    }

    private void progress(RunnerEvent event, Instant now) {
        switch (phase) {
            case Phase.Entering(var entry) -> entry.advance(now);
            case Phase.Working(var serving) -> work(serving, event, now);
            case Phase.Stopping _, Phase.Stopped _ -> {}
        }
        complain(now);
        if (phase instanceof Phase.Stopping(var ending, var serving)) {
            leaveIfDone(ending, serving, now);
        } else {
            senses.ifPresent(it -> it.advance(view.reach(lfcCounts()), member, now));
        }
        wake(now);
    }

    private void complain(Instant now) {
        switch (phase) {
            case Phase.Entering _ ->
                reports.complaints(view.complaints(), view.seen().sizes().spec(), GoalBasis.NONE, now);
            case Phase.Working(var serving) -> serving.reportComplaints(view.complaints(), now);
            case Phase.Stopping _, Phase.Stopped _ -> {}
        }
    }

    private void work(Serving serving, RunnerEvent event, Instant now) {
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
        boolean cry = event instanceof RunnerEvent.MemoryCried(var by) && link.belongs(by);
        boolean load = event instanceof RunnerEvent.Scraped || event instanceof RunnerEvent.LfcScraped;
        serving.advance(now, cry || load);
        if (cry) {
            serving.reportCry(now);
        }
    }

    private void serve(Entry.Entered entered, Instant now) {
        view.claimed(entered.fence(), entered.claim());
        var jitter = config.requestTickJitter();
        var shorter = jitter.isZero() ? jitter : Duration.ofNanos(random.nextLong(jitter.toNanos()));
        var core = view.newCore(config.coreWithTickShorterBy(shorter), now);
        var serving = new Serving(setting, core, entered, new ScalingNotes(view, config, requests));
        if (!entered.claim().settled()) {
            serving.core().foundUnsettled(entered.booked());
        }
        senses.flatMap(Senses::sample).ifPresent(sample -> serving.core().systemMetrics(sample.metrics(), sample.at()));
        serving.guest().greet(now);
        phase = new Phase.Working(serving);
    }

    private Optional<Serving> serving() {
        return switch (phase) {
            case Phase.Working(var serving) -> Optional.of(serving);
            case Phase.Stopping(var _, var serving) -> serving;
            case Phase.Entering _, Phase.Stopped _ -> Optional.empty();
        };
    }

    private boolean lfcCounts() {
        return serving().filter(it -> it.core().wantsLfc()).isPresent();
    }

    private Optional<Serving> lastServing() {
        return phase instanceof Phase.Stopped(var _, var last) ? last : serving();
    }

    private Optional<Entry> entry() {
        return phase instanceof Phase.Entering(var entry) ? Optional.of(entry) : Optional.empty();
    }

    /** The first reason counts. */
    private void stop(Ending ending) {
        if (!(phase instanceof Phase.Stopping)) {
            serving().ifPresent(it -> it.end(ending));
            phase = new Phase.Stopping(ending, serving());
        }
    }

    /** One that stops lets go of the session where it is. */
    private void monitorMoved(Instant now) {
        if (!(phase instanceof Phase.Stopping)) {
            senses.ifPresent(it -> it.monitorMoved(member, now));
        }
    }

    private void leaveIfDone(Ending ending, Optional<Serving> serving, Instant now) {
        if (requests.any(Pending::weighs)) {
            return;
        }
        if (ending.letsGoOfMonitor()) {
            requests.act(link.detach(member));
        }
        phase = new Phase.Stopped(ending, serving);
        long session = serving.map(Serving::session).orElse(resume.lastSessionOf(member.pod()));
        var left = new Resume(session, member.pod(), 0, view.overrides());
        var lived = Duration.between(startedAt, now);
        requests.act(ending.stop(config.restarts(), resume, left, lived, random));
    }

    private void wake(Instant now) {
        if (phase instanceof Phase.Stopped) {
            return;
        }
        Optional<Instant> own = switch (phase) {
            case Phase.Entering(var entry) -> entry.wakeAt();
            case Phase.Working(var serving) -> serving.wakeAt();
            case Phase.Stopping _, Phase.Stopped _ -> Optional.empty();
        };
        var heard = phase instanceof Phase.Stopping ? Optional.<Instant>empty() : senses.flatMap(Senses::wakeAt);
        var next = Instants.sooner(Instants.sooner(own, heard), requests.nextDeadline());
        next.map(when -> when.isAfter(now) ? when : now.plusMillis(1))
                .ifPresent(when -> requests.act(new RunnerAction.WakeAt(when)));
    }
}
