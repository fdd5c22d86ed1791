package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;

/**
 * An event for a {@link Runner}. A reply has the number of its request; if that request was given up, or never was, the
 * reply changes nothing.
 */
public sealed interface RunnerEvent {
    /** The first event of each runner, and only that. */
    record Started() implements RunnerEvent {}

    /** The instant of the last {@link RunnerAction.WakeAt} has come; too early or too often does no harm. */
    record Woken() implements RunnerEvent {}

    /**
     * A new observation of the VM; one that is older than the last is dropped.
     *
     * @param vm the whole observation
     */
    record VmChanged(VmObserved vm) implements RunnerEvent {}

    /** The VM was deleted. */
    record VmDeleted() implements RunnerEvent {}

    /** The VM is assigned to another process. */
    record HandedOver() implements RunnerEvent {}

    /** Another process keeps sessions with the VM's monitor from now on. */
    record MonitorMoved() implements RunnerEvent {}

    /**
     * The ledger replied to {@link RunnerAction.OpenLedgerSession}.
     *
     * @param number of the request
     * @param reply the reply
     */
    record SessionAnswered(long number, OpenReply reply) implements RunnerEvent {}

    /**
     * The driver replied to {@link RunnerAction.ClaimFence}.
     *
     * @param number of the request
     * @param reply the reply
     */
    record ClaimAnswered(long number, ClaimReply reply) implements RunnerEvent {}

    /**
     * The ledger replied to {@link RunnerAction.RequestPermit}.
     *
     * @param number of the request
     * @param reply the reply
     */
    record PermitAnswered(long number, PermitReply reply) implements RunnerEvent {}

    /**
     * The driver replied to {@link RunnerAction.PatchSize}.
     *
     * @param number of the request
     * @param reply the reply
     */
    record PatchAnswered(long number, PatchReply reply) implements RunnerEvent {}

    /**
     * The monitor replied to {@link RunnerAction.UpscaleGuest} or {@link RunnerAction.DownscaleGuest}.
     *
     * @param number of the request
     * @param reply the reply
     */
    record GuestAnswered(long number, ResizeReply reply) implements RunnerEvent {}

    /**
     * The reply to {@link RunnerAction.AttachToMonitor}.
     *
     * @param number of the request
     * @param state of the session
     */
    record MonitorAttached(long number, MonitorState state) implements RunnerEvent {}

    /**
     * The state of the monitor's session was published.
     *
     * @param state of the session
     */
    record MonitorChanged(MonitorState state) implements RunnerEvent {}

    /**
     * The monitor sent an upscale request.
     *
     * @param upscaleRequest with its session
     */
    record UpscaleRequested(UpscaleRequest upscaleRequest) implements RunnerEvent {}

    /** The driver has a sample that is newer than the last scrape. */
    record SampleAvailable() implements RunnerEvent {}

    /**
     * {@link RunnerAction.Scrape} brought a text.
     *
     * @param number of the request
     * @param reading the result of parsing it
     */
    record Scraped(long number, MetricsReading reading) implements RunnerEvent {}

    /**
     * {@link RunnerAction.ScrapeLfc} brought a text.
     *
     * @param number of the request
     * @param reading the result of parsing it
     */
    record LfcScraped(long number, LfcReading reading) implements RunnerEvent {}

    /**
     * A request has no reply, and none is awaited any more; the request may have been carried out nevertheless.
     *
     * @param number of the request, of whatever kind
     * @param reason in words
     */
    record RequestFailed(long number, String reason) implements RunnerEvent {}
}
