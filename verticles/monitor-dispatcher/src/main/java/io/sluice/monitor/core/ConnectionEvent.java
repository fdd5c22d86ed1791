package io.sluice.monitor.core;

import io.sluice.units.Resources;

/** An event of a connection. Events of an older socket than the newest one have no effect. */
public sealed interface ConnectionEvent {
    /** The session is requested, for the first time or again. */
    record Requested() implements ConnectionEvent {}

    /**
     * The session is not requested any more.
     *
     * @param reason in words
     */
    record Unwanted(String reason) implements ConnectionEvent {}

    /** A dialled socket is open. */
    record Opened(long socket) implements ConnectionEvent {}

    /** A text message arrived. */
    record Received(long socket, String text) implements ConnectionEvent {}

    /** A socket could not be opened, or has ended. */
    record Disconnected(long socket, String reason) implements ConnectionEvent {}

    /**
     * A request to notify the guest of a larger size, or to request a smaller one.
     *
     * @param request the number that the reply must carry
     * @param kind up or down
     * @param generation the session for which it is meant
     * @param target the size
     */
    record ResizeRequested(long request, CallKind kind, long generation, Resources target) implements ConnectionEvent {
        public ResizeRequested {
            if (kind == CallKind.HEALTH_CHECK) {
                throw new IllegalArgumentException("a connection checks health by itself");
            }
        }
    }

    /** Time has passed. */
    record Woken() implements ConnectionEvent {}
}
