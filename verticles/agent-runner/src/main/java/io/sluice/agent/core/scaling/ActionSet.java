package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The actions that a core decides on now: at most one request of each kind. Each may be started only from the latest
 * set, and before any other update of the core; the core must be notified of each start.
 *
 * @param pluginRequest the permit request to the scheduler
 * @param neonVmRequest the patch of the VM
 * @param monitorUpscale the notification to the monitor that its VM has more
 * @param monitorDownscale the request to the monitor that its VM may have less
 * @param waitFor how long until the set could differ without an event; empty if it never would
 * @param desired the size that is to be reached
 * @param demand the size without what the monitor's denied downscale keeps
 * @param basis the numbers that the goal was made from
 */
public record ActionSet(
        Optional<PluginRequest> pluginRequest,
        Optional<NeonVmRequest> neonVmRequest,
        Optional<MonitorUpscale> monitorUpscale,
        Optional<MonitorDownscale> monitorDownscale,
        Optional<Duration> waitFor,
        Resources desired,
        Demand demand,
        GoalBasis basis) {
    public ActionSet {
        Objects.requireNonNull(pluginRequest, "pluginRequest");
        Objects.requireNonNull(neonVmRequest, "neonVmRequest");
        Objects.requireNonNull(monitorUpscale, "monitorUpscale");
        Objects.requireNonNull(monitorDownscale, "monitorDownscale");
        Objects.requireNonNull(waitFor, "waitFor");
        Objects.requireNonNull(desired, "desired");
        Objects.requireNonNull(demand, "demand");
        Objects.requireNonNull(basis, "basis");
    }

    /**
     * A permit request to the scheduler with what the VM should hold in total.
     *
     * @param lastPermit the size that the last reply permits, as far as it has not lapsed
     * @param target what it should hold
     * @param load1 the 1-minute load; empty without metrics
     * @param targetRevision the goal that this serves
     */
    public record PluginRequest(
            Optional<Resources> lastPermit, Resources target, Optional<Float> load1, ActionRevision targetRevision) {}

    /**
     * A patch of the VM to a new size.
     *
     * @param current the size of its spec, as last known
     * @param target its new size; equal to {@code current} if it only excludes a patch that was lost
     * @param targetRevision the revision to write with it; of the patch's own where permits are strict
     * @param notAfter the instant at which the permit that it grows by lapses: it must be sent before; empty if it
     *     needs no permit
     */
    public record NeonVmRequest(
            Resources current, Resources target, ActionRevision targetRevision, Optional<Instant> notAfter) {}

    /**
     * A notification to the monitor that its VM has more.
     *
     * @param current the size that the monitor last accepted
     * @param target the size that the VM has
     * @param targetRevision the goal that this serves
     */
    public record MonitorUpscale(Resources current, Resources target, ActionRevision targetRevision) {}

    /**
     * A request to the monitor that its VM may have less.
     *
     * @param current the size that the monitor last accepted
     * @param target the smaller size
     * @param targetRevision the goal that this serves
     */
    public record MonitorDownscale(Resources current, Resources target, ActionRevision targetRevision) {}
}
