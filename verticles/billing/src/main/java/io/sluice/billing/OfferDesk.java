package io.sluice.billing;

import io.sluice.billing.outbox.Acceptance;
import io.sluice.billing.outbox.LaneId;
import io.sluice.billing.outbox.Offer;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Offers to the outbox what one source has, one offer at a time: one that was not taken, or of which nobody knows,
 * comes again as it is. All on one context.
 */
final class OfferDesk {
    private final Function<Offer, Future<Acceptance>> outbox;
    private final String source;
    private long last;
    private Optional<Offer> unfinished = Optional.empty();
    private boolean waiting;
    private Future<Acceptance> answer = Future.failedFuture("nothing was offered yet");

    /**
     * One that has offered nothing yet.
     *
     * @param outbox makes an offer durable
     * @param last number of the source's last offer that is durable
     */
    OfferDesk(Function<Offer, Future<Acceptance>> outbox, String source, long last) {
        this.outbox = outbox;
        this.source = source;
        this.last = last;
    }

    /** Whether something new can be offered. */
    boolean isFree() {
        return unfinished.isEmpty() && !waiting;
    }

    /** Whether an answer is awaited. */
    boolean isWaiting() {
        return waiting;
    }

    /** Offers something new; only while the desk is free. */
    Future<Acceptance> offer(Map<LaneId, List<byte[]>> events, Map<String, byte[]> notes) {
        if (!isFree()) {
            throw new IllegalStateException("an offer of " + source + " is not finished yet");
        }
        unfinished = Optional.of(new Offer(source, last + 1, events, notes));
        return again();
    }

    /** Offers again what was not taken; only while there is such a thing, and no answer is awaited. */
    Future<Acceptance> again() {
        waiting = true;
        // Before anybody else hears of the answer, and all at once: other turns may come between two who hear of it.
        answer = outbox.apply(unfinished.orElseThrow()).transform(this::answered);
        return answer;
    }

    /** Completes once no answer is awaited any more, however it turned out. */
    Future<Void> quiet() {
        return waiting ? answer.transform(any -> Future.succeededFuture()) : Future.succeededFuture();
    }

    private Future<Acceptance> answered(AsyncResult<Acceptance> result) {
        waiting = false;
        if (result.failed()) {
            return Future.failedFuture(result.cause());
        }
        switch (result.result()) {
            case Acceptance.Taken taken -> {
                last = unfinished.orElseThrow().number();
                unfinished = Optional.empty();
            }
            case Acceptance.Full full -> {}
        }
        return Future.succeededFuture(result.result());
    }
}
