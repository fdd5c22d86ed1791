package io.sluice.monitor.core;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Duration;

/** An action that a connection requests from its driver. */
public sealed interface ConnectionAction {
    /**
     * Open a socket with this number; report {@link ConnectionEvent.Opened} or {@link ConnectionEvent.Disconnected}.
     */
    record Dial(long socket) implements ConnectionAction {}

    /** Send a text message. */
    record Send(long socket, String text) implements ConnectionAction {}

    /** Close a socket and ignore its further events. */
    record Close(long socket, CloseReason reason) implements ConnectionAction {}

    /** Reply to the request of {@link ConnectionEvent.ResizeRequested}. */
    record Answer(long request, ResizeReply reply) implements ConnectionAction {}

    /** Publish the state of the session. */
    record Announce(MonitorState state) implements ConnectionAction {}

    /** Publish the monitor's upscale request. */
    record ReportUpscaleRequest(long generation) implements ConnectionAction {}

    /** Count a request that ended. */
    record Count(CallKind kind, CallOutcome outcome, Duration took) implements ConnectionAction {}

    /**
     * Record that an attempt or a session ended.
     *
     * @param reason in words
     * @param failures how many attempts or short sessions in a row have failed; 0 after a session that lived
     */
    record RecordEnd(String reason, int failures) implements ConnectionAction {}

    /** Record a protocol error of a monitor. */
    record RecordProtocolError(String what) implements ConnectionAction {}
}
