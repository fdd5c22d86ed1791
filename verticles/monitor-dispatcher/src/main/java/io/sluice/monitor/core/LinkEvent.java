package io.sluice.monitor.core;

import io.sluice.units.Resources;

/** Something happened to a link. What belongs to an older socket than the newest one changes nothing. */
public sealed interface LinkEvent {
    /** Somebody wants the session, still or anew. */
    record Wanted() implements LinkEvent {}

    /**
     * Nobody wants it any more.
     *
     * @param reason in words
     */
    record Unwanted(String reason) implements LinkEvent {}

    /** A dialled socket is open. */
    record Opened(long socket) implements LinkEvent {}

    /** A text message arrived. */
    record Heard(long socket, String text) implements LinkEvent {}

    /** A socket could not be opened, or is gone. */
    record Lost(long socket, String reason) implements LinkEvent {}

    /**
     * The guest shall be told of a new size, or asked for one.
     *
     * @param question whose answer must carry it
     * @param kind up or down
     * @param generation the session that it is meant for
     * @param target the size
     */
    record Asked(long question, CallKind kind, long generation, Resources target) implements LinkEvent {
        public Asked {
            if (kind == CallKind.HEALTH_CHECK) {
                throw new IllegalArgumentException("a link checks health by itself");
            }
        }
    }

    /** Time went by. */
    record Woken() implements LinkEvent {}
}
