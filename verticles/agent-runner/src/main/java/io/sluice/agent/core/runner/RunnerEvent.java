package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;

/**
 * Something that a {@link Runner} is told. An answer carries the number of the request that it answers; one whose
 * request was given up, or never was, changes nothing.
 */
public sealed interface RunnerEvent {
    /** The first event of each runner, and only that. */
    record Started() implements RunnerEvent {}

    /** The instant of the last {@link RunnerAction.WakeAt} has come; too early or too often does no harm. */
    record Woken() implements RunnerEvent {}

    /**
     * The VM's object is this now; older versions than one already heard of are dropped.
     *
     * @param vm the whole fact
     */
    record VmChanged(VmObserved vm) implements RunnerEvent {}

    /** The VM was deleted. */
    record VmDeleted() implements RunnerEvent {}

    /** Another process is to speak for the VM from now on. */
    record HandedOver() implements RunnerEvent {}

    /** Sessions with the VM's monitor are kept by another process from now on. */
    record MonitorMoved() implements RunnerEvent {}

    /**
     * The ledger answered {@link RunnerAction.OpenLedgerSession}.
     *
     * @param number of the request
     * @param reply the answer
     */
    record SessionAnswered(long number, OpenReply reply) implements RunnerEvent {}

    /**
     * The driver answered {@link RunnerAction.ClaimFence}.
     *
     * @param number of the request
     * @param reply the answer
     */
    record ClaimAnswered(long number, ClaimReply reply) implements RunnerEvent {}

    /**
     * The ledger answered {@link RunnerAction.RequestPermit}.
     *
     * @param number of the request
     * @param reply the answer
     */
    record PermitAnswered(long number, PermitReply reply) implements RunnerEvent {}

    /**
     * The driver answered {@link RunnerAction.PatchSize}.
     *
     * @param number of the request
     * @param reply the answer
     */
    record PatchAnswered(long number, PatchReply reply) implements RunnerEvent {}

    /**
     * The monitor answered {@link RunnerAction.UpscaleGuest} or {@link RunnerAction.DownscaleGuest}.
     *
     * @param number of the request
     * @param reply the answer
     */
    record GuestAnswered(long number, ResizeReply reply) implements RunnerEvent {}

    /**
     * The answer to {@link RunnerAction.AttachToMonitor}.
     *
     * @param number of the request
     * @param state how the session stands
     */
    record MonitorAttached(long number, MonitorState state) implements RunnerEvent {}

    /**
     * The state of the monitor's session was published.
     *
     * @param state how it stands
     */
    record MonitorChanged(MonitorState state) implements RunnerEvent {}

    /**
     * The monitor cried for memory.
     *
     * @param cry by which session
     */
    record UpscaleRequested(UpscaleRequest cry) implements RunnerEvent {}

    /**
     * {@link RunnerAction.Scrape} brought a text.
     *
     * @param number of the request
     * @param reading what the text came to
     */
    record Scraped(long number, MetricsReading reading) implements RunnerEvent {}

    /**
     * {@link RunnerAction.ScrapeLfc} brought a text.
     *
     * @param number of the request
     * @param reading what the text came to
     */
    record LfcScraped(long number, LfcReading reading) implements RunnerEvent {}

    /**
     * A request brought no answer, and none is waited for any more; it may have been heard all the same.
     *
     * @param number of the request, of whatever kind
     * @param reason in words
     */
    record RequestFailed(long number, String reason) implements RunnerEvent {}
}
