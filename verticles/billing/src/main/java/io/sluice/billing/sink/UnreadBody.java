package io.sluice.billing.sink;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/**
 * The body of an answer of which only the status counts: taken off the connection, so that it can be used again, and
 * thrown away; the connection goes where the body is too long for that, or too slow.
 */
final class UnreadBody implements BodySubscriber<Void> {
    private static final int BYTES_MAX = 1 << 16;

    private final CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
    private int status;
    private Subscription subscription;
    private long bytes;
    private boolean dropped;

    /** Of the answer with that status. */
    synchronized UnreadBody of(int told) {
        status = told;
        return this;
    }

    /** The status, which is known before anything can go wrong with the body; 0 where no answer came. */
    synchronized int status() {
        return status;
    }

    @Override
    public CompletionStage<Void> getBody() {
        return nothing;
    }

    @Override
    public synchronized void onSubscribe(Subscription given) {
        subscription = given;
        if (dropped) {
            given.cancel();
        } else {
            given.request(Long.MAX_VALUE);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> part) {
        for (var buffer : part) {
            bytes += buffer.remaining();
        }
        if (bytes > BYTES_MAX) {
            drop();
        }
    }

    @Override
    public void onError(Throwable failure) {
        // The status has been said; how the rest of the answer ends changes nothing.
    }

    @Override
    public void onComplete() {
        // The connection goes back by itself.
    }

    /** Waits no longer for the rest of it. */
    synchronized void drop() {
        dropped = true;
        if (subscription != null) {
            subscription.cancel();
        }
    }
}
