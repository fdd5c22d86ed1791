package io.sluice.agent.core.scaling;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What a core wants done now: at most one request of each kind. Each may be started only from the latest set, and
 * before any other update of the core; the core must be told when one is.
 *
 * @param pluginRequest the question to the scheduler
 * @param neonVmRequest the patch of the VM
 * @param monitorUpscale the monitor is told that its VM has more
 * @param monitorDownscale the monitor is asked whether its VM may have less
 * @param waitFor how long until the set could differ although nothing happened; empty if it never would
 * @param desired the size that the VM should come to have
 * @param demand what it would be without what the monitor refused to give back
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
     * Tell the scheduler what the VM should hold in total.
     *
     * @param lastPermit what the VM may be put to by the last answer, as far as it has not lapsed
     * @param target what it should hold
     * @param load1 the 1-minute load; empty without metrics
     * @param targetRevision the goal that this serves
     */
    public record PluginRequest(
            Optional<Resources> lastPermit, Resources target, Optional<Float> load1, ActionRevision targetRevision) {}

    /**
     * Give the VM a new size.
     *
     * @param current the size it was last known to have been told
     * @param target its new size; equal to {@code current} when it only shuts out a patch that was lost
     * @param targetRevision the revision to write with it; of the patch's own where permits are strict
     * @param notAfter the instant at which the permit that it grows by has lapsed: it must be sent before; empty when
     *     that does not bind it
     */
    public record NeonVmRequest(
            Resources current, Resources target, ActionRevision targetRevision, Optional<Instant> notAfter) {}

    /**
     * Tell the monitor that its VM has more.
     *
     * @param current what the monitor knows of
     * @param target what it has
     * @param targetRevision the goal that this serves
     */
    public record MonitorUpscale(Resources current, Resources target, ActionRevision targetRevision) {}

    /**
     * Ask the monitor whether its VM may have less.
     *
     * @param current what the monitor knows of
     * @param target what it would have
     * @param targetRevision the goal that this serves
     */
    public record MonitorDownscale(Resources current, Resources target, ActionRevision targetRevision) {}
}
