package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A core's state as dumps and diagnoses show it.
 *
 * @param using the size that the VM is taken to have been told
 * @param exposure the most that the VM may come to use, per kind
 * @param permit what the scheduler last granted, cut by what it was told since
 * @param permitLapsesAt from then on the permit counts only up to the exposure; empty where permits do not lapse
 * @param approved what the monitor knows of; empty while there is no monitor
 * @param asking what the scheduler is being asked for
 * @param patching what the VM is being patched to, or has been without its status showing it yet
 * @param inDoubt whether a patch was lost that may still be applied
 * @param moving whether the VM is about to move, so that it is not patched
 * @param desired what the last query wanted the VM to be
 * @param targetRevision the last goal's
 * @param hasAllMetrics whether the goal rests on all metrics that it needs
 * @param windowsTooShort whether the file cache's metrics had too few windows to read a working set from
 * @param usingCu how many compute units the VM has; empty unless it is a whole number, the same in both kinds
 */
public record CoreState(
        Resources using,
        Resources exposure,
        Optional<Resources> permit,
        Optional<Instant> permitLapsesAt,
        Optional<Resources> approved,
        Optional<Resources> asking,
        Optional<Resources> patching,
        boolean inDoubt,
        boolean moving,
        Optional<Resources> desired,
        Revision targetRevision,
        boolean hasAllMetrics,
        boolean windowsTooShort,
        OptionalInt usingCu) {
    /** What the VM may be put to at {@code now}. */
    public Optional<Resources> effectivePermit(Instant now) {
        return permitLapsesAt.isPresent() && !now.isBefore(permitLapsesAt.get()) ? permit.map(exposure::min) : permit;
    }
}
