package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.revision.RevisionTracker;
import io.sluice.agent.core.scaling.ActionSet.MonitorDownscale;
import io.sluice.agent.core.scaling.ActionSet.MonitorUpscale;
import io.sluice.agent.core.scaling.ActionSet.NeonVmRequest;
import io.sluice.agent.core.scaling.ActionSet.PluginRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The scaling state of one VM, and the one query that returns what to do next. An upscale goes by way of scheduler,
 * driver and monitor, a downscale by way of monitor, driver and scheduler.
 *
 * <p>Mutable and for one thread. Updates report what happened at some instant, which may lie before the last query's
 * {@code now}; an outcome of a request that is not under way is a late reply and changes nothing. Outcomes that belong
 * to an earlier connection of the monitor must not be reported.
 *
 * <p>Under {@link PermitSafety#STRICT} the scheduler's reservation is never less than what the VM may come to use:
 *
 * <ol>
 *   <li>a permit request is never for less than the {@link Exposure}: it decreases only once the VM's status shows it;
 *   <li>a decrease counts as reserved when its report is sent, and
 *   <li>a permit lapses, both by {@link SchedulerPart};
 *   <li>a patch grows a VM only within a permit that is in force at the instant it is started; the request has the
 *       instant by which it must be sent;
 *   <li>a lost patch is excluded by another, even to the size that the VM already has.
 * </ol>
 */
public final class ScalingCore {
    private final CoreConfig config;
    private final Exposure exposure;
    private final SchedulerPart scheduler;
    private final NeonVmPart neonVm;
    private final MonitorPart monitor;
    private final RevisionTracker revisions;
    private VmInfo vm;
    private ScalingConfig scaling;
    private Optional<SystemMetrics> system = Optional.empty();
    private Optional<LfcMetrics> lfc = Optional.empty();
    private Optional<GoalCu> given = Optional.empty();
    private final CoreJournal journal = new CoreJournal();

    /**
     * A core for a VM whose size is known, but neither its load nor its permit nor its monitor.
     *
     * @throws IllegalArgumentException when the VM's overrides make no valid scaling config
     */
    public ScalingCore(CoreConfig config, VmInfo vm) {
        this.config = config;
        this.vm = vm;
        this.scaling = config.scaling().overlaid(vm.overrides());
        this.exposure = new Exposure(vm);
        this.scheduler = new SchedulerPart(config);
        this.neonVm = new NeonVmPart(config, exposure);
        this.monitor = new MonitorPart(config);
        this.revisions = new RevisionTracker(vm.currentRevision());
    }

    /**
     * The driver was still at work on the VM when this core began, and the ledger held this for it. Earlier patches, by
     * another runner, may still be applied, and no object shows that: so under {@link PermitSafety#STRICT} the amount
     * counts like a patch in doubt, until a patch of this core's own is acknowledged and shown.
     */
    public void foundUnsettled(Resources reserved, Instant at) {
        journal.add(new CoreEntry.Sized(at, CoreEntry.SizedEvent.FOUND_UNSETTLED, reserved));
        if (config.strict()) {
            exposure.lost(reserved.max(exposureNow()));
        }
    }

    /**
     * What to do now. The same state and time give the same result; only the numbering of goals depends on which
     * queries were made.
     */
    public ActionSet nextActions(Instant now) {
        GoalCu goal = goal();
        Desired wanted = Desired.of(goal, vm, config, monitor.upscaleRequest(), monitor.deniedDownscale(), now);
        Resources desired = wanted.resources();
        ActionRevision revision = new ActionRevision(revisions.wanted(desired, vm.using(), now), now);
        Resources reach = exposureNow();
        PartPlan request = scheduler.plan(now, desire(desired, reach), inform(reach), reach);
        PartPlan patch = planPatch(now, desired, reach, request);
        Resources least = least();
        PartPlan upscale = monitor.planUpscale(now, least, desired);
        PartPlan downscale =
                monitor.planDownscale(now, least, desired, upscale.target().isPresent());
        boolean monitorBusy = monitor.requesting() || downscale.target().isPresent();
        var actions = new ActionSet(
                request.target().map(target -> request(now, target, reach, revision)),
                patch.target().map(target -> patch(now, target, desired, reach)),
                upscale.target().map(target -> new MonitorUpscale(monitor.upscalesFrom(vm.using()), target, revision)),
                downscale.target().map(target -> new MonitorDownscale(monitor.downscalesFrom(least), target, revision)),
                soonest(List.of(
                        wanted.requestEnds(),
                        wanted.denialEnds().filter(rest -> !monitorBusy),
                        request.waitFor(),
                        lapse(now, reach),
                        patch.waitFor(),
                        upscale.waitFor(),
                        downscale.waitFor())),
                desired,
                wanted.demand(),
                wanted.basis(system));
        journal.decided(actions, now);
        return actions;
    }

    private GoalCu goal() {
        return given.orElseGet(() -> GoalCu.of(system, lfc, scaling, config.computeUnit()));
    }

    /** Another policy than that of {@link GoalCu#of} computed the goal; it counts until the next one is given. */
    public void goalGiven(GoalCu goal, Instant at) {
        journal.add(new CoreEntry.GoalGiven(at, goal));
        given = Optional.of(goal);
    }

    /**
     * What the scheduler needs beside the target, to separate a request from what the VM may come to use; empty under
     * {@link PermitSafety#REFERENCE}, which has no such fields.
     */
    public Optional<ReportedUse> reportedUse() {
        return config.strict() ? Optional.of(new ReportedUse(vm.using(), exposureNow())) : Optional.empty();
    }

    private Resources exposureNow() {
        return exposure.of(vm.using(), neonVm.target());
    }

    private Resources least() {
        return config.strict() ? neonVm.least(vm.using()) : vm.using();
    }

    private Resources desire(Resources desired, Resources reach) {
        Resources kept = desired.max(vm.using());
        return config.strict() ? kept.max(reach) : kept;
    }

    private Resources inform(Resources reach) {
        return config.strict() ? reach : neonVm.target().map(vm.using()::max).orElse(vm.using());
    }

    private PartPlan planPatch(Instant now, Resources desired, Resources reach, PartPlan request) {
        Resources using = vm.using();
        Resources target = Bounds.clamp(
                using,
                desired,
                monitor.most().orElse(using),
                scheduler.effective(now, reach).orElse(using));
        return neonVm.plan(now, using, target, scheduler.requesting().or(request::target));
    }

    private PluginRequest request(Instant now, Resources target, Resources reach, ActionRevision revision) {
        return new PluginRequest(
                scheduler.effective(now, reach), target, system.map(metrics -> (float) metrics.load1()), revision);
    }

    private NeonVmRequest patch(Instant now, Resources target, Resources desired, Resources reach) {
        Revision serves = revisions.servedBy(desired, vm.using());
        boolean numbered = config.strict() || config.confirmedByStatus();
        ActionRevision revision = new ActionRevision(numbered ? revisions.own(serves) : serves, now);
        revisions.patchOffered(revision, serves);
        return new NeonVmRequest(
                vm.using(), target, revision, scheduler.lapsesAt().filter(lapse -> target.exceeds(reach)));
    }

    /** When the size that the permit allows will change without an event. */
    private Optional<Duration> lapse(Instant now, Resources reach) {
        return scheduler
                .lapsesAt()
                .filter(lapse -> scheduler
                        .permit()
                        .filter(granted -> granted.exceeds(reach))
                        .isPresent())
                .flatMap(lapse -> Periods.until(lapse, now));
    }

    private static Optional<Duration> soonest(List<Optional<Duration>> waits) {
        Optional<Duration> soonest = Optional.empty();
        for (var wait : waits) {
            if (wait.isPresent() && (soonest.isEmpty() || wait.get().compareTo(soonest.get()) < 0)) {
                soonest = wait;
            }
        }
        return soonest;
    }

    /**
     * A new observation of the VM: everything but the size of its spec is taken from it.
     *
     * @throws IllegalArgumentException when its overrides make no valid scaling config; nothing is changed then
     */
    public void vmUpdated(VmInfo observed, Instant at) {
        scaling = config.scaling().overlaid(observed.overrides());
        vm = observed.withUsing(vm.using());
        journal.add(new CoreEntry.VmUpdated(at, observed));
        if (!scaling.enableLfcMetrics()) {
            lfc = Optional.empty();
        }
        observed.currentRevision().ifPresent(revisions::reached);
        exposure.vmUpdated(observed);
        neonVm.statusObserved().ifPresent(this::use);
    }

    /** A scrape of the system's metrics arrived. */
    public void systemMetrics(SystemMetrics metrics, Instant at) {
        journal.add(new CoreEntry.Sampled(at, metrics));
        system = Optional.of(metrics);
    }

    /** The system's metrics are too old to count. */
    public void systemMetricsAbsent(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.METRICS_ABSENT));
        system = Optional.empty();
        given = Optional.empty();
    }

    /** The file cache's metrics are too old to count. */
    public void lfcMetricsAbsent(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.LFC_ABSENT));
        lfc = Optional.empty();
    }

    /** A scrape of the file cache's metrics arrived; it counts even where they are no longer enabled. */
    public void lfcMetrics(LfcMetrics metrics, Instant at) {
        journal.add(new CoreEntry.LfcSampled(at, metrics));
        lfc = Optional.of(metrics);
    }

    /** The last offered permit request is being sent. */
    public void schedulerStarting(Instant at, Resources target) {
        journal.add(new CoreEntry.Sized(at, CoreEntry.SizedEvent.PERMIT_REQUESTED, target));
        scheduler.starting(at, target, exposureNow());
    }

    /**
     * The scheduler replied.
     *
     * @param validFor how long after the request was sent its growth may start, if the reply has that
     * @param answered the revision of the permit request
     * @return false when the permit is impossible, which counts as a failure
     */
    public boolean schedulerSuccess(
            Instant at, Resources permit, Optional<Duration> validFor, ActionRevision answered) {
        journal.add(new CoreEntry.Permitted(at, permit, validFor));
        boolean taken = scheduler.success(at, permit, validFor, vm.using());
        if (taken) {
            revisions.schedulerAnswered(answered, at);
        }
        return taken;
    }

    /** The permit request was refused, failed, or had no reply in time. */
    public void schedulerFailed(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.PERMIT_FAILED));
        scheduler.failed(at);
    }

    /** The connection to the monitor is lost. */
    public void monitorReset(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.MONITOR_RESET));
        monitor.reset();
        revisions.monitorLost();
    }

    /** The monitor is connected, with the size that the VM uses. */
    public void monitorActive(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.MONITOR_ACTIVE));
        monitor.active(vm.using());
    }

    /** The monitor is connected, in a session that is older than this core: it may have accepted any size. */
    public void monitorFound(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.MONITOR_FOUND));
        monitor.found(vm.using());
    }

    /** The monitor sent an upscale request. */
    public void upscaleRequested(Instant at, boolean cpu, boolean memory) {
        journal.add(new CoreEntry.UpscaleWanted(at, cpu, memory));
        monitor.upscaleRequested(at, cpu, memory, vm.using());
    }

    /** The last offered upscale notification is being sent to the monitor. */
    public void monitorUpscaleStarting(Instant at, Resources target) {
        journal.add(new CoreEntry.Sized(at, CoreEntry.SizedEvent.UPSCALE_REPORTED, target));
        monitor.upscaleStarting(target);
    }

    /** The monitor has accepted it. */
    public void monitorUpscaleSuccess(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.UPSCALE_SUCCEEDED));
        monitor.upscaleSuccess();
    }

    /** It is unknown whether the monitor received the notification. */
    public void monitorUpscaleFailed(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.UPSCALE_FAILED));
        monitor.upscaleFailed(at);
    }

    /** The last offered downscale request is being sent to the monitor. */
    public void monitorDownscaleStarting(Instant at, Resources target) {
        journal.add(new CoreEntry.Sized(at, CoreEntry.SizedEvent.DOWNSCALE_REQUESTED, target));
        monitor.downscaleStarting(target, least());
    }

    /** The monitor allows the downscale. */
    public void monitorDownscaleAllowed(Instant at, ActionRevision answered) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.DOWNSCALE_ALLOWED));
        if (monitor.downscaleAllowed()) {
            revisions.monitorAnswered(answered, at);
        }
    }

    /** The monitor denies the downscale. */
    public void monitorDownscaleDenied(Instant at, ActionRevision answered) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.DOWNSCALE_DENIED));
        if (monitor.downscaleDenied(at)) {
            revisions.monitorAnswered(answered, at);
        }
    }

    /** The downscale request failed: it is neither allowed nor denied. */
    public void monitorDownscaleFailed(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.DOWNSCALE_FAILED));
        monitor.downscaleFailed(at);
    }

    /**
     * The last offered patch is being sent.
     *
     * @param revision the one that the offer carried
     * @return false when it must not be sent: the permit that it grows by has lapsed, or another patch is under way
     */
    public boolean neonVmStarting(Instant at, Resources target, Revision revision) {
        Resources reach = exposureNow();
        Resources most = scheduler.effective(at, reach).map(reach::max).orElse(reach);
        if (!neonVm.mayStart() || (config.strict() && target.exceeds(most))) {
            return false;
        }
        journal.add(new CoreEntry.PatchSent(at, target, revision));
        revisions.patchStarted(revision);
        neonVm.starting(target, revision);
        return true;
    }

    /** The VM's object holds the new size. */
    public void neonVmSuccess(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.PATCH_SUCCEEDED));
        neonVm.success(at, vm.using()).ifPresent(this::use);
    }

    /** The patch was certainly not applied: it was refused, or never sent. */
    public void neonVmFailed(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.PATCH_FAILED));
        neonVm.failed(at);
    }

    /** It is unknown whether the patch was or will be applied: no reply came, or one that does not show it. */
    public void neonVmInDoubt(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.PATCH_IN_DOUBT));
        neonVm.lost(at);
    }

    /**
     * The patch failed on the fence, which is still this runner's own; the VM's spec was then found to be {@code size}.
     */
    public void neonVmConflict(Instant at, Resources size) {
        journal.add(new CoreEntry.Sized(at, CoreEntry.SizedEvent.PATCH_CONFLICT, size));
        neonVm.conflict(at, size).ifPresent(this::use);
    }

    /** The VM is about to migrate: it is not patched until that is revoked. */
    public void aboutToMove(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.ABOUT_TO_MOVE));
        neonVm.moving(true);
    }

    /** The VM stays where it is. */
    public void movingRevoked(Instant at) {
        journal.add(new CoreEntry.Happened(at, CoreEntry.Event.MOVING_REVOKED));
        neonVm.moving(false);
    }

    private void use(Resources size) {
        vm = vm.withUsing(size);
    }

    /** Whether a goal needs the file cache's metrics to be complete. */
    public boolean scrapesLfc() {
        return scaling.enableLfcMetrics();
    }

    /** The size of the VM's spec, as the core counts it. */
    public Resources using() {
        return vm.using();
    }

    /** The state for dumps. */
    public CoreState state() {
        GoalCu goal = goal();
        return new CoreState(
                vm.using(),
                exposureNow(),
                scheduler.permit(),
                scheduler.lapsesAt(),
                monitor.approved(),
                scheduler.requesting(),
                neonVm.target(),
                exposure.inDoubt(),
                neonVm.moving(),
                revisions.lastDesired(),
                revisions.target(),
                goal.hasAllMetrics(),
                goal.windowsTooShort(),
                Bounds.wholeUnits(vm.using(), config.computeUnit()));
    }

    /** All data, party by party. */
    public CoreDetail detail() {
        return new CoreDetail(
                config,
                scaling,
                vm,
                scheduler.detail(revisions.schedulerRevision()),
                neonVm.detail(exposureNow(), revisions.patchTarget(), revisions.patchConfirmed()),
                monitor.detail(revisions.monitorRevision()),
                system,
                lfc,
                revisions.target(),
                revisions.lastDesired());
    }

    /** Whether what happens is kept for {@link #takeStep}; to be called before each event. */
    public void record(boolean on, Instant now) {
        if (on || journal.isOn()) {
            journal.record(on, detail(), given, now);
        }
    }

    /** What happened since the last call; empty if nothing did, or if it was not to be kept. */
    public Optional<CoreEntry.Step> takeStep() {
        return journal.take();
    }

    /** The latencies of goals, measured since the last call; of more than 1 000 the oldest are dropped. */
    public List<Latency> takeLatencies() {
        return revisions.takeLatencies();
    }
}
