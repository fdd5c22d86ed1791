package io.sluice.monitor.core;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Duration;

/** What a link wants done. */
public sealed interface LinkAction {
    /** Open a socket under this number; report {@link LinkEvent.Opened} or {@link LinkEvent.Lost}. */
    record Dial(long socket) implements LinkAction {}

    /** Send a text message. */
    record Send(long socket, String text) implements LinkAction {}

    /** Close a socket and forget it; nothing of it matters any more. */
    record Close(long socket, CloseReason reason) implements LinkAction {}

    /** Answer the question that {@link LinkEvent.Asked} brought. */
    record Answer(long question, ResizeReply reply) implements LinkAction {}

    /** Publish how the session stands. */
    record Announce(MonitorState state) implements LinkAction {}

    /** Publish the monitor's cry for memory. */
    record Cry(long generation) implements LinkAction {}

    /** Count a call that ended. */
    record Count(CallKind kind, CallOutcome outcome, Duration took) implements LinkAction {}

    /**
     * Note that an attempt or a session ended.
     *
     * @param reason in words
     * @param failures how many in a row brought no session worth the name; 0 after one that lived
     */
    record NoteEnd(String reason, int failures) implements LinkAction {}

    /** Note something odd in what a monitor said. */
    record NoteOddity(String what) implements LinkAction {}
}
