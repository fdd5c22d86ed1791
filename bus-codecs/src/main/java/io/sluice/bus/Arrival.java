package io.sluice.bus;

/**
 * What came by the bus. Vert.x loses whatever a codec throws at it, and the asker waits out its timeout; so codecs hand
 * over their failures as values.
 *
 * @param <T> the message
 */
sealed interface Arrival<T> {
    /**
     * The message.
     *
     * @throws UnreadableMessageException when there is none
     */
    T message();

    /** It could be read. */
    record Readable<T>(T message) implements Arrival<T> {}

    /** It could not. */
    record Unreadable<T>(UnreadableMessageException reason) implements Arrival<T> {
        @Override
        public T message() {
            throw reason;
        }
    }
}
