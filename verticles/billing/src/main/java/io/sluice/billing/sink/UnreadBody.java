package io.sluice.billing.sink;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/**
 * Discards the body of a response of which only the status is used. It reads the body so that the connection can be
 * reused, and closes the connection if the body is too long or too slow.
 */
final class UnreadBody implements BodySubscriber<Void> {
    private static final int BYTES_MAX = 1 << 16;

    private final CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
    private int status;
    private Subscription subscription;
    private long bytes;
    private boolean dropped;

    /** Sets the status of the response. */
    synchronized UnreadBody of(int reported) {
        status = reported;
        return this;
    }

    /** The status, which is set before reading the body can fail; 0 without a response. */
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
        // The status is already set; a failure of the body changes nothing.
    }

    @Override
    public void onComplete() {
        // The client reuses the connection.
    }

    /** Stops reading the body. */
    synchronized void drop() {
        dropped = true;
        if (subscription != null) {
            subscription.cancel();
        }
    }
}
