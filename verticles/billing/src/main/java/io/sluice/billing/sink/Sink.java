package io.sluice.billing.sink;

/**
 * A destination of batches. Its methods block, so they are never called on an event loop; one batch is sent at a time.
 */
public interface Sink extends AutoCloseable {
    /**
     * Sends a batch, and returns when it is stored. After any failure the same complete batch may be sent again.
     *
     * @throws SinkException if it was not accepted, or the result is unknown
     */
    void send(Batch batch) throws SinkException;

    @Override
    void close();
}
