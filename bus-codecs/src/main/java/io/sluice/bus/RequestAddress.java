package io.sluice.bus;

import io.sluice.wire.WireCodec;
import java.time.Duration;
import java.util.Objects;

/**
 * An address with one kind of request and one kind of reply.
 *
 * @param <Q> the request
 * @param <A> the reply
 * @param name {@code <owner>.<noun>}
 * @param request the codec of the request
 * @param answer the codec of the reply
 * @param timeout after this the requester treats the request or its reply as lost
 * @param maxInFlight requests of one {@link Bus} to this address that may wait for a reply at once, in all processes
 *     together; a further one is not sent
 */
public record RequestAddress<Q, A>(
        String name, WireCodec<Q> request, WireCodec<A> answer, Duration timeout, int maxInFlight) {
    private static final String AT = "@";

    public RequestAddress {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException(name + ": a timeout is at least 1 ms: " + timeout);
        }
        if (maxInFlight < 1) {
            throw new IllegalArgumentException(name + ": at least one request may be in flight: " + maxInFlight);
        }
    }

    /**
     * The same address at one process, for what only that process can reply to.
     *
     * @param peer the process's id; empty for any process that serves the address
     */
    public RequestAddress<Q, A> at(String peer) {
        return peer.isEmpty() ? this : new RequestAddress<>(name + AT + peer, request, answer, timeout, maxInFlight);
    }

    /** The name without the process's id. */
    String noun() {
        int at = name.indexOf(AT);
        return at < 0 ? name : name.substring(0, at);
    }
}
