package io.sluice.bus;

import java.time.Duration;
import java.util.Objects;

/**
 * An address that answers: one kind of question in, one kind of answer out.
 *
 * @param <Q> the question
 * @param <A> the answer
 * @param name {@code <owner>.<noun>}
 * @param question carries the question
 * @param answer carries the answer
 * @param timeout after this the asker takes the question or its answer for lost
 * @param maxInFlight questions of one asking {@link Bus} that may wait for an answer at once, whichever process they
 *     are for; one more is not sent
 */
public record RequestAddress<Q, A>(
        String name, WireCodec<Q> question, WireCodec<A> answer, Duration timeout, int maxInFlight) {
    private static final String AT = "@";

    public RequestAddress {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(question, "question");
        Objects.requireNonNull(answer, "answer");
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException(name + ": a timeout is at least 1 ms: " + timeout);
        }
        if (maxInFlight < 1) {
            throw new IllegalArgumentException(name + ": at least one request may be in flight: " + maxInFlight);
        }
    }

    /**
     * The same address at one process alone, for what only that process can answer.
     *
     * @param peer the process's id; empty for whoever answers
     */
    public RequestAddress<Q, A> at(String peer) {
        return peer.isEmpty() ? this : new RequestAddress<>(name + AT + peer, question, answer, timeout, maxInFlight);
    }

    /** The name without the process that it may be at. */
    String noun() {
        int at = name.indexOf(AT);
        return at < 0 ? name : name.substring(0, at);
    }
}
