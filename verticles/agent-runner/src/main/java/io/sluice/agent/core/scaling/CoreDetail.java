package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * All data of a core, party by party: for dumps, and to explain what its VM waits for.
 *
 * @param config the part of its agent's config that the core got
 * @param scaling how metrics become a goal for this VM, with its overrides
 * @param vm the data of its object, with the size of its spec as the core counts it
 * @param scheduler the core's state towards the scheduler
 * @param driver the core's state towards its driver
 * @param monitor the core's state towards its monitor
 * @param system the last metrics of its system, while they count
 * @param lfc the last metrics of its file cache, while they count
 * @param target the last goal's revision
 * @param lastDesired the desired size of the last query
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
     * A permit request.
     *
     * @param at when it was sent
     * @param resources what it requested
     */
    public record Requested(Instant at, Resources resources) {}

    /**
     * The core's state towards the scheduler.
     *
     * @param requesting whether the last permit request is still under way
     * @param last the last permit request
     * @param failedAt when one last failed
     * @param permit what was last granted, cut by later decrease reports
     * @param lapsesAt from then on the permit counts only up to the exposure; empty where permits do not lapse
     * @param acknowledged the last goal that it replied to
     */
    public record Scheduler(
            boolean requesting,
            Optional<Requested> last,
            Optional<Instant> failedAt,
            Optional<Resources> permit,
            Optional<Instant> lapsesAt,
            Revision acknowledged) {}

    /**
     * The core's state towards the VM's driver.
     *
     * @param patching the target of the patch that is under way, or waits for its status
     * @param awaitsStatus whether that patch was acknowledged and waits for its status
     * @param failedAt when one last failed
     * @param inDoubt whether a patch was lost that may still be applied
     * @param moving whether the VM is about to migrate, so that it is not patched
     * @param exposure the most that the VM may come to use, per kind
     * @param target the revision of the last patch that was offered
     * @param confirmed the last such revision that was followed by a status of the VM's object
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
     * The core's state towards the VM's monitor.
     *
     * @param approved the size that the monitor last accepted; empty while there is no monitor
     * @param least the least that the guest may have accepted, as a request without a reply may have been accepted
     * @param most the most that it may have accepted; empty while that is unknown
     * @param telling the upscale notification that is under way
     * @param requested the downscale that is being requested
     * @param upscaleRequest the last upscale request of this connection
     * @param deniedDownscale the last denied downscale of this connection
     * @param upscaleFailedAt when an upscale notification last failed
     * @param downscaleFailedAt when a downscale request last failed
     * @param acknowledged the last goal that it replied to
     */
    public record Monitor(
            Optional<Resources> approved,
            Optional<Resources> least,
            Optional<Resources> most,
            Optional<Resources> telling,
            Optional<Resources> requested,
            Optional<Desired.Requested> upscaleRequest,
            Optional<Desired.Denied> deniedDownscale,
            Optional<Instant> upscaleFailedAt,
            Optional<Instant> downscaleFailedAt,
            Revision acknowledged) {}

    /** The size that the permit allows at {@code now}. */
    public Optional<Resources> effectivePermit(Instant now) {
        boolean lapsed = scheduler.lapsesAt().filter(at -> !now.isBefore(at)).isPresent();
        return lapsed ? scheduler.permit().map(driver.exposure()::min) : scheduler.permit();
    }
}
