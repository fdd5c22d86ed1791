package io.sluice.gateway.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A reply over HTTP.
 *
 * @param status the HTTP status
 * @param contentType the media type, exactly as it is sent
 * @param body the text
 * @param retryAfter when a retry makes sense; sent in whole seconds, rounded up
 */
public record HttpAnswer(int status, String contentType, String body, Optional<Duration> retryAfter) {
    public HttpAnswer {
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(retryAfter, "retryAfter");
    }

    /** Returns a reply in JSON. */
    static HttpAnswer json(String body) {
        return new HttpAnswer(200, "application/json", body, Optional.empty());
    }

    /** Returns a refusal with a sentence. */
    static HttpAnswer refusal(int status, String sentence) {
        return new HttpAnswer(status, "text/plain", sentence, Optional.empty());
    }

    /** Returns a refusal that a retry may avoid. */
    static HttpAnswer later(int status, String sentence, Duration retryAfter) {
        return new HttpAnswer(status, "text/plain", sentence, Optional.of(retryAfter));
    }

    /** Returns the value of the header {@code Retry-After}: at least one second. */
    public Optional<String> retryAfterSeconds() {
        return retryAfter.map(
                wait -> Long.toString(Math.max(1, wait.plusMillis(999).toSeconds())));
    }
}
