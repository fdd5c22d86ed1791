package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * All that a core knows, party by party: for dumps, and for telling what its VM waits for.
 *
 * @param config what the core was told of its agent's config
 * @param scaling how metrics become a goal for this VM, with what its object says of that
 * @param vm what its object says, with the size that it is taken to have been told
 * @param scheduler what stands between it and the scheduler
 * @param driver what stands between it and its driver
 * @param monitor what stands between it and its monitor
 * @param system the last metrics of its system, while they count
 * @param lfc the last metrics of its file cache, while they count
 * @param target the last goal's revision
 * @param lastDesired what the last query wanted it to be
 */
public record CoreDetail(
        CoreConfig config,
        ScalingConfig scaling,
        VmInfo vm,
        Scheduler scheduler,
        Driver driver,
        Monitor monitor,
        Optional<SystemMetrics> system,
        Optional<LfcMetrics> lfc,
        Revision target,
        Optional<Resources> lastDesired) {
    public CoreDetail {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(scaling, "scaling");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(target, "target");
    }

    /**
     * A question to the scheduler.
     *
     * @param at when it was sent
     * @param resources what it said that the VM should hold
     */
    public record Asked(Instant at, Resources resources) {}

    /**
     * What stands between a VM and the scheduler.
     *
     * @param asking whether the last question is still under way
     * @param last the last question
     * @param failedAt when one last failed
     * @param permit what was last granted, cut by what was told since
     * @param lapsesAt from then on the permit counts only up to the exposure; empty where permits do not lapse
     * @param acknowledged the last goal that it answered
     */
    public record Scheduler(
            boolean asking,
            Optional<Asked> last,
            Optional<Instant> failedAt,
            Optional<Resources> permit,
            Optional<Instant> lapsesAt,
            Revision acknowledged) {}

    /**
     * What stands between a VM and its driver.
     *
     * @param patching the target of the patch that is under way, or waits for its status
     * @param awaitsStatus whether that patch was acknowledged and waits for its status
     * @param failedAt when one last failed
     * @param inDoubt whether a patch was lost that may still be applied
     * @param moving whether the VM is about to move, so that it is not patched
     * @param exposure the most that the VM may come to use, per kind
     * @param target the revision of the last patch that was offered
     * @param confirmed the last such revision that the VM's object answered
     */
    public record Driver(
            Optional<Resources> patching,
            boolean awaitsStatus,
            Optional<Instant> failedAt,
            boolean inDoubt,
            boolean moving,
            Resources exposure,
            ActionRevision target,
            long confirmed) {}

    /**
     * What stands between a VM and its monitor.
     *
     * @param approved what the monitor knows of; empty while there is none
     * @param telling what it is being told of more
     * @param asking what it is being asked to shrink to
     * @param cry the last cry for more of this connection
     * @param veto the last refusal to shrink of this connection
     * @param upscaleFailedAt when telling it last failed
     * @param downscaleFailedAt when asking it last failed
     * @param acknowledged the last goal that it answered
     */
    public record Monitor(
            Optional<Resources> approved,
            Optional<Resources> telling,
            Optional<Resources> asking,
            Optional<Desired.Requested> cry,
            Optional<Desired.Denied> veto,
            Optional<Instant> upscaleFailedAt,
            Optional<Instant> downscaleFailedAt,
            Revision acknowledged) {}

    /** What the VM may be put to at {@code now}. */
    public Optional<Resources> effectivePermit(Instant now) {
        boolean lapsed = scheduler.lapsesAt().filter(at -> !now.isBefore(at)).isPresent();
        return lapsed ? scheduler.permit().map(driver.exposure()::min) : scheduler.permit();
    }
}
