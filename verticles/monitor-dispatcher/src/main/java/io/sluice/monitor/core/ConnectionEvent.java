package io.sluice.monitor.core;

import io.sluice.units.Resources;

/** Something happened to a link. What belongs to an older socket than the newest one changes nothing. */
public sealed interface ConnectionEvent {
    /** Somebody wants the session, still or anew. */
    record Requested() implements ConnectionEvent {}

    /**
     * Nobody wants it any more.
     *
     * @param reason in words
     */
    record Unwanted(String reason) implements ConnectionEvent {}

    /** A dialled socket is open. */
    record Opened(long socket) implements ConnectionEvent {}

    /** A text message arrived. */
    record Received(long socket, String text) implements ConnectionEvent {}

    /** A socket could not be opened, or is gone. */
    record Disconnected(long socket, String reason) implements ConnectionEvent {}

    /**
     * The guest shall be told of a new size, or asked for one.
     *
     * @param question whose answer must carry it
     * @param kind up or down
     * @param generation the session that it is meant for
     * @param target the size
     */
    record Asked(long question, CallKind kind, long generation, Resources target) implements ConnectionEvent {
        public Asked {
            if (kind == CallKind.HEALTH_CHECK) {
                throw new IllegalArgumentException("a link checks health by itself");
            }
        }
    }

    /** Time went by. */
    record Woken() implements ConnectionEvent {}
}
