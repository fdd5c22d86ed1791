package io.sluice.agent.core.runner;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;
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
 * Something that a {@link Runner} wants done. Each {@link Request} is to be sent once and reported back once: by its
 * own answer, or by {@link RunnerEvent.RequestFailed}.
 */
public sealed interface RunnerAction {
    /** Something that is asked of somebody. */
    sealed interface Request extends RunnerAction {
        /** Unlike that of any other request of this runner. */
        long number();
    }

    /**
     * Ask the ledger for a session.
     *
     * @param number of this request
     * @param question what to ask
     */
    record OpenLedgerSession(long number, OpenSession question) implements Request {}

    /**
     * Write this runner's fence on the VM.
     *
     * @param number of this request
     * @param question what to ask
     */
    record ClaimFence(long number, ClaimVm question) implements Request {}

    /**
     * Tell the ledger what the VM should hold.
     *
     * @param number of this request
     * @param question what to ask
     */
    record RequestPermit(long number, PermitRequest question) implements Request {}

    /**
     * Give the VM a new size.
     *
     * @param number of this request
     * @param question what to ask
     * @param from the size that it was last known to have been told
     */
    record PatchSize(long number, PatchVm question, Resources from) implements Request {}

    /**
     * Tell the monitor that its VM has more.
     *
     * @param number of this request
     * @param question what to ask
     * @param from what the monitor knows of
     * @param at the process that keeps the session
     */
    record UpscaleGuest(long number, ResizeGuest question, Resources from, String at) implements Request {}

    /**
     * Ask the monitor whether its VM may have less.
     *
     * @param number of this request
     * @param question what to ask
     * @param from what the monitor knows of
     * @param at the process that keeps the session
     */
    record DownscaleGuest(long number, ResizeGuest question, Resources from, String at) implements Request {}

    /**
     * Ask for a session with the monitor, or say that it is still wanted.
     *
     * @param number of this request
     * @param question what to ask
     */
    record AttachToMonitor(long number, AttachMonitor question) implements Request {}

    /**
     * Say that the session with the monitor is not wanted any more; nothing is to be reported back.
     *
     * @param question what to say
     * @param at the process that keeps the session; empty where none is known to
     */
    record DetachFromMonitor(DetachMonitor question, Optional<String> at) implements RunnerAction {}

    /**
     * Read the VM's metrics.
     *
     * @param number of this request
     * @param endpoint where they answer
     */
    record Scrape(long number, Endpoint endpoint) implements Request {}

    /**
     * Read the metrics of the VM's file cache.
     *
     * @param number of this request
     * @param endpoint where they answer
     * @param timeout a scrape that takes longer has failed
     */
    record ScrapeLfc(long number, Endpoint endpoint, Duration timeout) implements Request {}

    /**
     * Send {@link RunnerEvent.Woken} then. It takes the place of the one before; a runner has one timer.
     *
     * @param when after the event's own time
     */
    record WakeAt(Instant when) implements RunnerAction {}

    /**
     * Publish a decision.
     *
     * @param decision what happened to the VM's size, or did not
     */
    record Report(Decision decision) implements RunnerAction {}

    /**
     * Tell those who keep books of scaling.
     *
     * @param noted what the VM is being given, or would be if nothing bounded it
     */
    record Note(ScalingNoted noted) implements RunnerAction {}

    /**
     * Something is not as it should be and heals by itself; said at a bounded pace.
     *
     * @param sentence what
     */
    record Warn(String sentence) implements RunnerAction {}

    /**
     * This runner has ended: it takes no event and sends no request any more. The last action of its list.
     *
     * @param reason why
     * @param sentence why, in words
     * @param restartAfter when to start another one for the same VM, if it is still to be served; empty: at once, if so
     * @param resume to be handed to that other one
     */
    record Stop(StopReason reason, String sentence, Optional<Duration> restartAfter, RunnerHandover resume)
            implements RunnerAction {}
}
