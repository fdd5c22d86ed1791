package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;

/** The API server answered a read with a status that is not success. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final long LONGEST_SECONDS = 300;
    private static final int GONE = 410;

    private final int status;
    private final Duration retryAfter;

    /** @param retryAfter how long the server requests not to be called; zero if it does not say */
    public RefusedException(String what, int status, Duration retryAfter) {
        super(what + " was answered " + status);
        this.status = status;
        this.retryAfter = retryAfter;
    }

    public int status() {
        return status;
    }

    /** Whether the server has expired the version or page from which the request continued. */
    public boolean isExpired() {
        return status == GONE;
    }

    Duration retryAfter() {
        return retryAfter;
    }

    /** The {@code retryAfter} of a failure; zero if the failure has none. */
    public static Duration retryAfter(Throwable failure) {
        return failure instanceof RefusedException refused ? refused.retryAfter() : Duration.ZERO;
    }

    /** The wait that an answer requests, within bounds; a date is ignored. */
    static Duration retryAfter(HttpResponse<?> response) {
        return retryAfter(response.header("Retry-After"));
    }

    /** The same for the header's text, or null. */
    static Duration retryAfter(String header) {
        try {
            return header == null
                    ? Duration.ZERO
                    : Duration.ofSeconds(Math.clamp(Long.parseLong(header.strip()), 0, LONGEST_SECONDS));
        } catch (NumberFormatException noSeconds) {
            return Duration.ZERO;
        }
    }
}
