package io.sluice.billing.outbox;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.Sink;
import io.sluice.billing.sink.SinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** A sink in memory that records batches, and fails or hangs on request. It fails where it is sent two at a time. */
final class RememberingSink implements Sink {
    private final List<Batch> taken = new ArrayList<>();
    private int tries;
    private int failures;
    private String label = "";
    private Optional<CountDownLatch> gate = Optional.empty();
    private Predicate<Batch> refused = batch -> false;
    private boolean closed;
    private boolean sending;

    /** Makes the next sends fail, that many times. */
    synchronized void fail(int times, String why) {
        failures = times;
        label = why;
    }

    /** Refuses batches for good, with a status of HTTP. */
    synchronized void refuse(Predicate<Batch> batches) {
        refused = batches;
    }

    /** Makes sends wait until the latch is counted down. */
    synchronized void hang(CountDownLatch until) {
        gate = Optional.of(until);
    }

    synchronized List<Batch> taken() {
        return List.copyOf(taken);
    }

    synchronized int tries() {
        return tries;
    }

    synchronized boolean closed() {
        return closed;
    }

    @Override
    public void send(Batch batch) throws SinkException {
        var waitFor = begin();
        if (waitFor.isPresent()) {
            await(waitFor.get());
        }
        synchronized (this) {
            sending = false;
            if (failures > 0) {
                failures--;
                throw new SinkException(label, "failure on request: " + label, null);
            }
            if (refused.test(batch)) {
                throw SinkException.ofStatus(413, "refused on request");
            }
            taken.add(batch);
        }
    }

    private synchronized Optional<CountDownLatch> begin() {
        if (sending) {
            throw new IllegalStateException("a second batch is sent beside the first");
        }
        sending = true;
        tries++;
        return gate;
    }

    private static void await(CountDownLatch latch) throws SinkException {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new SinkException("interrupted", "interrupted while hanging on request", interrupted);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
