package io.sluice.agent.core.runner;

import io.sluice.agent.core.status.VmPod;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An action of a {@link Runner} for its caller to carry out. Each {@link Request} is sent once and reported back once:
 * by its own reply, or by {@link RunnerEvent.RequestFailed}.
 */
public sealed interface RunnerAction {
    /** A request to another component. */
    sealed interface Request extends RunnerAction {
        /** Different from that of any other request of this runner. */
        long number();
    }

    /**
     * Request a session from the ledger.
     *
     * @param number of this request
     * @param request its content
     */
    record OpenLedgerSession(long number, OpenSession request) implements Request {}

    /**
     * Write this runner's fence on the VM.
     *
     * @param number of this request
     * @param request its content
     */
    record ClaimFence(long number, ClaimVm request) implements Request {}

    /**
     * Request a permit from the ledger.
     *
     * @param number of this request
     * @param request its content
     */
    record RequestPermit(long number, PermitRequest request) implements Request {}

    /**
     * Patch the VM to a new size.
     *
     * @param number of this request
     * @param request its content
     * @param from the size of the VM's spec, as last known
     */
    record PatchSize(long number, PatchVm request, Resources from) implements Request {}

    /**
     * Notify the monitor that its VM has more.
     *
     * @param number of this request
     * @param request its content
     * @param from the size that the monitor last accepted
     * @param at the process that keeps the session
     */
    record UpscaleGuest(long number, ResizeGuest request, Resources from, String at) implements Request {}

    /**
     * Request from the monitor that its VM may have less.
     *
     * @param number of this request
     * @param request its content
     * @param from the size that the monitor last accepted
     * @param at the process that keeps the session
     */
    record DownscaleGuest(long number, ResizeGuest request, Resources from, String at) implements Request {}

    /**
     * Request a session with the monitor, or renew it.
     *
     * @param number of this request
     * @param request its content
     */
    record AttachToMonitor(long number, AttachMonitor request) implements Request {}

    /**
     * End the session with the monitor; nothing is reported back.
     *
     * @param request its content
     * @param at the process that keeps the session; empty if none is known
     */
    record DetachFromMonitor(DetachMonitor request, Optional<String> at) implements RunnerAction {}

    /**
     * Read the VM's metrics.
     *
     * @param number of this request
     * @param pod the VM, and where it runs
     * @param endpoint their address
     */
    record Scrape(long number, VmPod pod, Endpoint endpoint) implements Request {}

    /**
     * Read the metrics of the VM's file cache.
     *
     * @param number of this request
     * @param endpoint their address
     * @param timeout a scrape that takes longer has failed
     */
    record ScrapeLfc(long number, Endpoint endpoint, Duration timeout) implements Request {}

    /**
     * Send {@link RunnerEvent.Woken} at that time. It replaces the one before; a runner has one timer.
     *
     * @param when after the event's own time
     */
    record WakeAt(Instant when) implements RunnerAction {}

    /**
     * Publish a decision.
     *
     * @param decision what happened to the VM's size, or was denied
     */
    record Report(Decision decision) implements RunnerAction {}

    /**
     * Publish a scaling event for external records.
     *
     * @param noted the size that the VM is patched to, or its goal before bounds
     */
    record Record(ScalingRecorded recorded) implements RunnerAction {}

    /**
     * Log a problem that ends by itself; at a bounded rate.
     *
     * @param sentence the problem
     */
    record Warn(String sentence) implements RunnerAction {}

    /**
     * This runner has ended: it takes no event and sends no request any more. The last action of its list.
     *
     * @param reason why
     * @param sentence why, in words
     * @param restartAfter when to start another one for the same VM, if it is still to be served; empty: at once, if so
     * @param resume for that other one
     */
    record Stop(StopReason reason, String sentence, Optional<Duration> restartAfter, RunnerHandover resume)
            implements RunnerAction {}
}
