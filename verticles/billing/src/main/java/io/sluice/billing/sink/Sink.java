package io.sluice.billing.sink;

import io.sluice.billing.outbox.Batch;

/** Who takes batches. Waits for its answer, so never on an event loop; one batch at a time. */
public interface Sink extends AutoCloseable {
    /**
     * Hands a batch over, and returns once it is kept there. The same batch may come again, whole, after any failure.
     *
     * @throws SinkException when it was not taken, or nobody knows
     */
    void send(Batch batch) throws SinkException;

    @Override
    void close();
}
