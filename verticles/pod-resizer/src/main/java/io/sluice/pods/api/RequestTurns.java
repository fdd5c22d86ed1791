package io.sluice.pods.api;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * Sends at most so many requests at a time; others wait in order, each no longer than it may. What can wait takes half
 * of the turns at most, and those that nothing else waits for. For one context.
 */
final class RequestTurns {
    private static final long NANOS = 1_000_000;

    private final Vertx vertx;
    private final int inFlightMax;
    private final int waitingMax;
    private final Set<Waiting<?>> waiting = new LinkedHashSet<>();
    private final Set<Waiting<?>> waitingLast = new LinkedHashSet<>();
    private int inFlight;
    private boolean isSending;

    /** A request that waits until a time of {@link System#nanoTime}; each equals itself alone. */
    private static final class Waiting<T> {
        final LongFunction<Future<T>> send;
        final long until;
        final Promise<T> reply = Promise.promise();

        Waiting(LongFunction<Future<T>> send, Duration within) {
            this.send = send;
            this.until = System.nanoTime() + within.toNanos();
        }

        long leftMs() {
            return (until - System.nanoTime()) / NANOS;
        }
    }

    RequestTurns(Vertx vertx, int inFlightMax, int waitingMax) {
        this.vertx = vertx;
        this.inFlightMax = inFlightMax;
        this.waitingMax = waitingMax;
    }

    /**
     * Sends a request at its turn, or fails with {@link PodApi.NotSentException}.
     *
     * @param within how long it may wait and take
     * @param send sends it, with what is left of that time in milliseconds; completes on this context
     */
    <T> Future<T> send(Duration within, LongFunction<Future<T>> send) {
        return send(new Waiting<>(send, within), within, waiting, inFlightMax);
    }

    /** As {@link #send(Duration, LongFunction)}, for what can wait. */
    <T> Future<T> sendLast(Duration within, LongFunction<Future<T>> send) {
        return send(new Waiting<>(send, within), within, waitingLast, lastMax());
    }

    private int lastMax() {
        return (inFlightMax + 1) / 2;
    }

    private <T> Future<T> send(Waiting<T> next, Duration within, Set<Waiting<?>> queue, int most) {
        long withinMs = Math.max(1, within.toMillis());
        if (inFlight < most) {
            send(next, withinMs);
        } else if (queue.size() < waitingMax) {
            queue.add(next);
            long timer = vertx.setTimer(withinMs, fired -> {
                if (queue.remove(next)) {
                    next.reply.fail(new PodApi.NotSentException("too many requests to the API server were before it"));
                }
            });
            next.reply.future().onComplete(answered -> vertx.cancelTimer(timer));
        } else {
            next.reply.fail(new PodApi.NotSentException("too many requests wait for the API server"));
        }
        return next.reply.future();
    }

    private <T> void send(Waiting<T> next, long leftMs) {
        inFlight++;
        sent(next, leftMs).onComplete(answered -> {
            inFlight--;
            sendWaiting();
            next.reply.handle(answered);
        });
    }

    /** The client throws where it cannot make the request, as without a token. */
    private static <T> Future<T> sent(Waiting<T> next, long leftMs) {
        try {
            return next.send.apply(leftMs);
        } catch (RuntimeException notMade) {
            return Future.failedFuture(new PodApi.NotSentException(PodApi.words(notMade)));
        }
    }

    /** A request that has no time left is failed by its timer. One that ends at once does not begin the loop anew. */
    private void sendWaiting() {
        if (isSending) {
            return;
        }
        isSending = true;
        var next = next();
        while (next.isPresent()) {
            send(next.get(), Math.max(1, next.get().leftMs()));
            next = next();
        }
        isSending = false;
    }

    private Optional<Waiting<?>> next() {
        return next(waiting, inFlightMax).or(() -> next(waitingLast, lastMax()));
    }

    private Optional<Waiting<?>> next(Set<Waiting<?>> queue, int most) {
        Optional<Waiting<?>> next =
                inFlight < most ? queue.stream().filter(one -> one.leftMs() > 0).findFirst() : Optional.empty();
        next.ifPresent(queue::remove);
        return next;
    }
}
