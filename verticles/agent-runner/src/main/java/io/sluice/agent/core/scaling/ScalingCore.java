package io.sluice.agent.core.scaling;

import io.sluice.agent.core.scaling.ActionSet.MonitorDownscale;
import io.sluice.agent.core.scaling.ActionSet.MonitorUpscale;
import io.sluice.agent.core.scaling.ActionSet.NeonVmRequest;
import io.sluice.agent.core.scaling.ActionSet.PluginRequest;
import io.sluice.messages.ledger.ReportedUse;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that an agent knows of one VM, and the one query that says what to do next. An upscale goes by way of
 * scheduler, driver and monitor, a downscale by way of monitor, driver and scheduler.
 *
 * <p>Mutable and for one thread. Updates say what happened at some instant, which may lie before the last query's
 * {@code now}; an outcome of something that is not under way is a late answer and changes nothing. Outcomes that belong
 * to an earlier connection of the monitor must not be reported.
 *
 * <p>Under {@link PermitSafety#STRICT} the scheduler's books never hold less than what the VM may come to use:
 *
 * <ol>
 *   <li>the scheduler is told no less than the {@link Exposure}: a decrease only once the VM's status shows it;
 *   <li>what it is told of less counts as booked when it is sent, and
 *   <li>a permit lapses, both by {@link SchedulerPart};
 *   <li>a patch grows a VM only within a permit that stands at the instant it is started; the request names the instant
 *       by which it must have left;
 *   <li>a patch that was lost is shut out by another, even to the size that the VM already has.
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
     * The VM was not settled when this core began, and the books held this for it. What it was told before, by whoever
     * spoke for it, may still be on its way to it, and no object shows that: so under {@link PermitSafety#STRICT} it
     * counts like a patch in doubt, until a patch of this core's own is acknowledged and shown.
     */
    public void foundUnsettled(Resources booked) {
        if (config.strict()) {
            exposure.lost(booked.max(exposureNow()));
        }
    }

    /**
     * What to do now. The same state and time give the same answer; only the numbering of goals depends on which
     * queries were made.
     */
    public ActionSet nextActions(Instant now) {
        GoalCu goal = goal();
        Desired wanted = Desired.of(goal, vm, config, monitor.cry(), monitor.veto(), now);
        Resources desired = wanted.resources();
        ActionRevision revision = new ActionRevision(revisions.wanted(desired, vm.using(), now), now);
        Resources reach = exposureNow();
        PartPlan question = scheduler.plan(now, want(desired, reach), inform(reach), reach);
        PartPlan patch = planPatch(now, desired, reach, question);
        PartPlan upscale = monitor.planUpscale(now, vm.using(), desired);
        PartPlan downscale =
                monitor.planDownscale(now, desired, upscale.target().isPresent());
        boolean monitorBusy = monitor.requesting() || downscale.target().isPresent();
        Resources approved = monitor.approved().orElse(vm.using());
        return new ActionSet(
                question.target().map(target -> question(now, target, reach, revision)),
                patch.target().map(target -> patch(now, target, desired, reach)),
                upscale.target().map(target -> new MonitorUpscale(approved, target, revision)),
                downscale.target().map(target -> new MonitorDownscale(approved, target, revision)),
                soonest(List.of(
                        wanted.requestEnds(),
                        wanted.vetoEnds().filter(rest -> !monitorBusy),
                        question.waitFor(),
                        lapse(now, reach),
                        patch.waitFor(),
                        upscale.waitFor(),
                        downscale.waitFor())),
                desired,
                wanted.demand(),
                wanted.basis(system));
    }

    private GoalCu goal() {
        return GoalCu.of(system, lfc, scaling, config.computeUnit());
    }

    /**
     * What the scheduler needs to know beside the target, to tell a wish from what the VM may come to use; empty under
     * {@link PermitSafety#REFERENCE}, where nothing is known of that.
     */
    public Optional<ReportedUse> reportedUse() {
        return config.strict() ? Optional.of(new ReportedUse(vm.using(), exposureNow())) : Optional.empty();
    }

    private Resources exposureNow() {
        return exposure.of(vm.using(), neonVm.target());
    }

    private Resources want(Resources desired, Resources reach) {
        Resources kept = desired.max(vm.using());
        return config.strict() ? kept.max(reach) : kept;
    }

    private Resources inform(Resources reach) {
        return config.strict() ? reach : neonVm.target().map(vm.using()::max).orElse(vm.using());
    }

    private PartPlan planPatch(Instant now, Resources desired, Resources reach, PartPlan question) {
        Resources using = vm.using();
        Resources target = Bounds.clamp(
                using,
                desired,
                monitor.approved().orElse(using),
                scheduler.effective(now, reach).orElse(using));
        return neonVm.plan(now, using, target, scheduler.asking().or(question::target));
    }

    private PluginRequest question(Instant now, Resources target, Resources reach, ActionRevision revision) {
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

    /** When what the VM may be put to will change by itself. */
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
     * The VM's object changed: everything but the size it was told is taken from it.
     *
     * @throws IllegalArgumentException when its overrides make no valid scaling config; nothing is changed then
     */
    public void vmUpdated(VmInfo seen, Instant at) {
        scaling = config.scaling().overlaid(seen.overrides());
        vm = seen.withUsing(vm.using());
        if (!scaling.enableLfcMetrics()) {
            lfc = Optional.empty();
        }
        seen.currentRevision().ifPresent(revisions::reached);
        exposure.vmUpdated(seen);
        neonVm.statusSeen().ifPresent(this::use);
    }

    /** A scrape of the system's metrics came in. */
    public void systemMetrics(SystemMetrics metrics, Instant at) {
        system = Optional.of(metrics);
    }

    /** The system's metrics are too old to go by. */
    public void systemMetricsAbsent(Instant at) {
        system = Optional.empty();
    }

    /** The file cache's metrics are too old to go by. */
    public void lfcMetricsAbsent(Instant at) {
        lfc = Optional.empty();
    }

    /** A scrape of the file cache's metrics came in; it counts even where they are no longer enabled. */
    public void lfcMetrics(LfcMetrics metrics, Instant at) {
        lfc = Optional.of(metrics);
    }

    /** The question offered last is being sent. */
    public void schedulerStarting(Instant at, Resources target) {
        scheduler.starting(at, target, exposureNow());
    }

    /**
     * The scheduler answered.
     *
     * @param validFor how long after the question was sent its growth may start, where the answer said so
     * @param answered the revision of the question
     * @return false when the permit is impossible, which counts as a failure
     */
    public boolean schedulerSuccess(
            Instant at, Resources permit, Optional<Duration> validFor, ActionRevision answered) {
        boolean taken = scheduler.success(at, permit, validFor, vm.using());
        if (taken) {
            revisions.schedulerAnswered(answered, at);
        }
        return taken;
    }

    /** The question was refused, failed, or was not answered in time. */
    public void schedulerFailed(Instant at) {
        scheduler.failed(at);
    }

    /** The connection to the monitor is lost. */
    public void monitorReset(Instant at) {
        monitor.reset();
        revisions.monitorLost();
    }

    /** The monitor is connected, and knows of what the VM uses. */
    public void monitorActive(Instant at) {
        monitor.active(vm.using());
    }

    /** The monitor cries for more. */
    public void upscaleRequested(Instant at, boolean cpu, boolean memory) {
        monitor.upscaleRequested(at, cpu, memory, vm.using());
    }

    /** The upscale offered last is being told to the monitor. */
    public void monitorUpscaleStarting(Instant at, Resources target) {
        monitor.upscaleStarting(target);
    }

    /** The monitor knows of it. */
    public void monitorUpscaleSuccess(Instant at) {
        monitor.upscaleSuccess();
    }

    /** It is not known whether the monitor heard. */
    public void monitorUpscaleFailed(Instant at) {
        monitor.upscaleFailed(at);
    }

    /** The downscale offered last is being asked of the monitor. */
    public void monitorDownscaleStarting(Instant at, Resources target) {
        monitor.downscaleStarting(target);
    }

    /** The guest can do with less. */
    public void monitorDownscaleAllowed(Instant at, ActionRevision answered) {
        if (monitor.downscaleAllowed()) {
            revisions.monitorAnswered(answered, at);
        }
    }

    /** The guest refuses to shrink. */
    public void monitorDownscaleDenied(Instant at, ActionRevision answered) {
        if (monitor.downscaleDenied(at)) {
            revisions.monitorAnswered(answered, at);
        }
    }

    /** It is not known what the guest would say. */
    public void monitorDownscaleFailed(Instant at) {
        monitor.downscaleFailed(at);
    }

    /**
     * The patch offered last is being sent.
     *
     * @param revision the one that the offer carried
     * @return false when it must not be: the permit that it grows by has lapsed, or another patch is under way
     */
    public boolean neonVmStarting(Instant at, Resources target, Revision revision) {
        Resources reach = exposureNow();
        Resources most = scheduler.effective(at, reach).map(reach::max).orElse(reach);
        if (!neonVm.mayStart() || (config.strict() && target.exceeds(most))) {
            return false;
        }
        revisions.patchStarted(revision);
        neonVm.starting(target, revision);
        return true;
    }

    /** The VM's object holds the new size. */
    public void neonVmSuccess(Instant at) {
        neonVm.success(at, vm.using()).ifPresent(this::use);
    }

    /** The patch was certainly not applied: it was refused, or never sent. */
    public void neonVmFailed(Instant at) {
        neonVm.failed(at);
    }

    /** Nobody knows whether the patch was or will be applied: no answer came, or one that does not tell. */
    public void neonVmInDoubt(Instant at) {
        neonVm.lost(at);
    }

    /** The patch failed on the fence, which is still this runner's own; the VM was then found told of {@code size}. */
    public void neonVmConflict(Instant at, Resources size) {
        neonVm.conflict(at, size).ifPresent(this::use);
    }

    /** The VM is about to move: it is not patched until that is revoked. */
    public void aboutToMove(Instant at) {
        neonVm.moving(true);
    }

    /** The VM stays where it is. */
    public void movingRevoked(Instant at) {
        neonVm.moving(false);
    }

    private void use(Resources size) {
        vm = vm.withUsing(size);
    }

    /** Whether a goal needs the file cache's metrics to be complete. */
    public boolean wantsLfc() {
        return scaling.enableLfcMetrics();
    }

    /** The size that the VM is taken to have been told. */
    public Resources using() {
        return vm.using();
    }

    /** The state as dumps show it. */
    public CoreState state() {
        GoalCu goal = goal();
        return new CoreState(
                vm.using(),
                exposureNow(),
                scheduler.permit(),
                scheduler.lapsesAt(),
                monitor.approved(),
                scheduler.asking(),
                neonVm.target(),
                exposure.inDoubt(),
                neonVm.moving(),
                revisions.lastDesired(),
                revisions.target(),
                goal.hasAllMetrics(),
                goal.windowsTooShort(),
                Bounds.wholeUnits(vm.using(), config.computeUnit()));
    }

    /** All that is known, party by party. */
    public CoreDetail detail() {
        return new CoreDetail(
                config,
                scaling,
                vm,
                scheduler.detail(revisions.schedulerKnows()),
                neonVm.detail(exposureNow(), revisions.patchTarget(), revisions.patchConfirmed()),
                monitor.detail(revisions.monitorKnows()),
                system,
                lfc,
                revisions.target(),
                revisions.lastDesired());
    }

    /** How long goals took, as measured since the last call; of more than 1 000 the oldest are gone. */
    public List<Latency> takeLatencies() {
        return revisions.takeLatencies();
    }
}
