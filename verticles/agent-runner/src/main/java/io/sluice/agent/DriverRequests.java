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
 * Requests to processes with the role of one driver. Any of them may have received a request. When one leaves, the
 * requests that it may have received fail soon after, before their own timeout. For one thread.
 */
final class DriverRequests {
    /** The processes that remain reply within this time, as a rule. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /**
     * For this many checks a request may still go to a process that is gone: the bus removes its addresses with a
     * delay.
     */
    private static final int LOOKS = 3;

    private final Vertx vertx;
    private final Peers peers;
    private final String role;
    private final Set<Promise<?>> inFlight = new LinkedHashSet<>();
    private Set<String> present;

    /** @param role of the processes with that driver */
    DriverRequests(Vertx vertx, Peers peers, String role) {
        this.vertx = vertx;
        this.peers = peers;
        this.role = role;
        present = drivers();
    }

    /**
     * The reply to a request that was sent. The future also fails after a process left that may have received the
     * request.
     */
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

    /** The list of processes may have changed. */
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
            had.forEach(request -> request.tryFail("a process that may have received the request left"));
            if (looks > 1) {
                giveUp(looks - 1);
            }
        });
    }

    private Set<String> drivers() {
        return peers.all().stream()
                .filter(peer -> peer.roles().contains(role))
                .map(Peer::id)
                .collect(Collectors.toSet());
    }
}
