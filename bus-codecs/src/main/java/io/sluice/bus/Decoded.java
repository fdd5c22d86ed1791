package io.sluice.bus;

/**
 * What came by the bus. Vert.x loses whatever a codec throws at it, and the asker waits out its timeout; so codecs hand
 * over their failures as values.
 *
 * @param <T> the message
 */
sealed interface Decoded<T> {
    /**
     * The message.
     *
     * @throws UnreadableMessageException when there is none
     */
    T message();

    /** It could be read. */
    record Readable<T>(T message) implements Decoded<T> {}

    /** It could not. */
    record Unreadable<T>(UnreadableMessageException reason) implements Decoded<T> {
        @Override
        public T message() {
            throw reason;
        }
    }
}
