package io.sluice.bus;

import io.sluice.wire.UnreadableMessageException;

/**
 * A received message, or why it could not be read. Vert.x drops exceptions that a codec throws, and the requester would
 * wait for its timeout; so codecs return their failures as values.
 *
 * @param <T> the message
 */
sealed interface Decoded<T> {
    /**
     * The message.
     *
     * @throws UnreadableMessageException when it could not be read
     */
    T message();

    /** A message that could be read. */
    record Readable<T>(T message) implements Decoded<T> {}

    /** A message that could not be read. */
    record Unreadable<T>(UnreadableMessageException reason) implements Decoded<T> {
        @Override
        public T message() {
            throw reason;
        }
    }
}
