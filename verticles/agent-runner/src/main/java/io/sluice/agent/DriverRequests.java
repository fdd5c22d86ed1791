package io.sluice.agent;

import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requests to processes with the role {@code vm}. Any of them may have a request; when one leaves, what it may have had
 * is lost soon after, and not only when the request's own time is over. For one thread.
 */
final class DriverRequests {
    /** Those that stayed reply within it, as a rule. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Until it is over, requests may go to a process that is gone: the bus removes its addresses by and by. */
    private static final int LOOKS = 3;

    private static final String ROLE = "vm";

    private final Vertx vertx;
    private final Peers peers;
    private final Set<Promise<?>> inFlight = new LinkedHashSet<>();
    private Set<String> present;

    DriverRequests(Vertx vertx, Peers peers) {
        this.vertx = vertx;
        this.peers = peers;
        present = drivers();
    }

    /** The reply to a request that was sent; fails as well once a process left that may have had it. */
    <A> Future<A> await(Future<A> reply) {
        Promise<A> promise = Promise.promise();
        inFlight.add(promise);
        reply.onComplete(ended -> {
            inFlight.remove(promise);
            if (ended.succeeded()) {
                promise.tryComplete(ended.result());
            } else {
                promise.tryFail(ended.cause());
            }
        });
        return promise.future();
    }

    /** Other processes may be there than before. */
    void peersChanged() {
        var now = drivers();
        boolean left = !now.containsAll(present);
        present = now;
        if (left) {
            giveUp(LOOKS);
        }
    }

    private void giveUp(int looks) {
        var had = List.copyOf(inFlight);
        vertx.setTimer(GRACE.toMillis(), timer -> {
            had.forEach(request -> request.tryFail("a process that may have had the request left"));
            if (looks > 1) {
                giveUp(looks - 1);
            }
        });
    }

    private Set<String> drivers() {
        return peers.all().stream()
                .filter(peer -> peer.roles().contains(ROLE))
                .map(Peer::id)
                .collect(Collectors.toSet());
    }
}
