package io.sluice.messages.member;

import java.util.Objects;

/**
 * Requests the messages on the bus of a process since the last request. The first request opens a listener there, each
 * further one keeps it open, and it closes by itself {@link #LEASE_SECONDS} after the last.
 *
 * @param listener the listener's unique id, made by the requester
 * @param seq grows by one with each request that was replied to; the same number requests the same reply again
 * @param vm only messages about this VM; {@code *} stands for any text here and below; empty for all
 * @param node only messages about this node; empty for all
 * @param address only messages at this address; empty for all
 * @param kind {@code request}, {@code reply} or {@code event}; empty for all
 */
public record TapRequest(String listener, long seq, String vm, String node, String address, String kind) {
    /** After so many seconds without a request a listener closes. */
    public static final int LEASE_SECONDS = 5;

    public TapRequest {
        Objects.requireNonNull(listener, "listener");
        if (seq < 1) {
            throw new IllegalArgumentException("seq starts at 1: " + seq);
        }
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(kind, "kind");
    }

    /** The request that follows when this one was replied to. */
    public TapRequest next() {
        return new TapRequest(listener, seq + 1, vm, node, address, kind);
    }
}
