package io.sluice.messages.member;

import java.util.Objects;

/**
 * What has passed over the bus of a process since it was last asked? The first question opens a listener there, each
 * further one keeps it open, and it closes by itself {@link #LEASE_SECONDS} after the last.
 *
 * @param listener names the listener; made up by whoever asks, unlike any other's
 * @param seq grows by one with each question that was answered; the same again asks for the same answer again
 * @param vm only messages about this VM; {@code *} stands for anything here and below; empty for all
 * @param node only messages about this node; empty for all
 * @param address only messages at this address; empty for all
 * @param kind {@code request}, {@code reply} or {@code event}; empty for all
 */
public record TapRequest(String listener, long seq, String vm, String node, String address, String kind) {
    /** After so many seconds without a question a listener closes. */
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

    /** The question after this one was answered. */
    public TapRequest next() {
        return new TapRequest(listener, seq + 1, vm, node, address, kind);
    }
}
