package io.sluice.neonvm;

import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;

/** The API server answered a read with a status that is none of success. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final long LONGEST_SECONDS = 300;
    private static final int GONE = 410;

    private final int status;
    private final Duration retryAfter;

    /** @param retryAfter how long the server wants to be left alone; zero where it does not say */
    RefusedException(String what, int status, Duration retryAfter) {
        super(what + " was answered " + status);
        this.status = status;
        this.retryAfter = retryAfter;
    }

    int status() {
        return status;
    }

    /** Whether the server has forgotten what it was asked to go on from. */
    boolean isExpired() {
        return status == GONE;
    }

    Duration retryAfter() {
        return retryAfter;
    }

    /** How long the server that answered a failure wants to be left alone, if it is that. */
    static Duration retryAfter(Throwable failure) {
        return failure instanceof RefusedException refused ? refused.retryAfter() : Duration.ZERO;
    }

    /** What an answer asks for; a moment of the calendar is not understood, and bounds are put to the rest. */
    static Duration retryAfter(HttpResponse<?> response) {
        var header = response.header("Retry-After");
        try {
            return header == null
                    ? Duration.ZERO
                    : Duration.ofSeconds(Math.clamp(Long.parseLong(header.strip()), 0, LONGEST_SECONDS));
        } catch (NumberFormatException noSeconds) {
            return Duration.ZERO;
        }
    }
}
