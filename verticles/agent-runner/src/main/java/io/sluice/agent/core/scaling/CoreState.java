package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A core's state for dumps and diagnoses.
 *
 * @param using the size of the VM's spec, as the core counts it
 * @param exposure the most that the VM may come to use, per kind
 * @param permit what the scheduler last granted, cut by later decrease reports
 * @param permitLapsesAt from then on the permit counts only up to the exposure; empty where permits do not lapse
 * @param approved the size that the monitor last accepted; empty while there is no monitor
 * @param requested what is being requested from the scheduler
 * @param patching what the VM is being patched to, or has been patched to without its status showing it yet
 * @param inDoubt whether a patch was lost that may still be applied
 * @param moving whether the VM is about to migrate, so that it is not patched
 * @param desired the desired size of the last query
 * @param targetRevision the last goal's
 * @param hasAllMetrics whether the goal is made from all metrics that it needs
 * @param windowsTooShort whether the file cache's metrics had too few windows to read a working set from
 * @param usingCu how many compute units the VM has; empty unless it is a whole number, the same in both kinds
 */
public record CoreState(
        Resources using,
        Resources exposure,
        Optional<Resources> permit,
        Optional<Instant> permitLapsesAt,
        Optional<Resources> approved,
        Optional<Resources> requested,
        Optional<Resources> patching,
        boolean inDoubt,
        boolean moving,
        Optional<Resources> desired,
        Revision targetRevision,
        boolean hasAllMetrics,
        boolean windowsTooShort,
        OptionalInt usingCu) {
    /** The size that the permit allows at {@code now}. */
    public Optional<Resources> effectivePermit(Instant now) {
        return permitLapsesAt.isPresent() && !now.isBefore(permitLapsesAt.get()) ? permit.map(exposure::min) : permit;
    }
}
