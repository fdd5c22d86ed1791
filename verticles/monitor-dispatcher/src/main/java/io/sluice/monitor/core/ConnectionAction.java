package io.sluice.monitor.core;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Duration;

/** What a link wants done. */
public sealed interface ConnectionAction {
    /**
     * Open a socket under this number; report {@link ConnectionEvent.Opened} or {@link ConnectionEvent.Disconnected}.
     */
    record Dial(long socket) implements ConnectionAction {}

    /** Send a text message. */
    record Send(long socket, String text) implements ConnectionAction {}

    /** Close a socket and forget it; nothing of it matters any more. */
    record Close(long socket, CloseReason reason) implements ConnectionAction {}

    /** Answer the question that {@link ConnectionEvent.Asked} brought. */
    record Answer(long question, ResizeReply reply) implements ConnectionAction {}

    /** Publish how the session stands. */
    record Announce(MonitorState state) implements ConnectionAction {}

    /** Publish the monitor's cry for memory. */
    record ReportUpscaleRequest(long generation) implements ConnectionAction {}

    /** Count a call that ended. */
    record Count(CallKind kind, CallOutcome outcome, Duration took) implements ConnectionAction {}

    /**
     * Note that an attempt or a session ended.
     *
     * @param reason in words
     * @param failures how many in a row brought no session worth the name; 0 after one that lived
     */
    record NoteEnd(String reason, int failures) implements ConnectionAction {}

    /** Note something odd in what a monitor said. */
    record NoteOddity(String what) implements ConnectionAction {}
}
