package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Billing events by HTTP. Whether it fits is checked by {@link #checked}, as only the owner knows the section's name.
 *
 * @param url where {@code /usage_events} is posted to, such as {@code https://billing.example}; empty switches this off
 * @param tokenFile file with the bearer token that is shown there, read again for each request; empty shows none
 * @param pushEvery how long an event waits for others at most
 * @param pushTimeout how long one request may take
 * @param maxBatchSize how many events travel together at most
 */
public record HttpSinkConfig(String url, String tokenFile, Duration pushEvery, Duration pushTimeout, int maxBatchSize) {
    /** Off. */
    public static final HttpSinkConfig DEFAULTS =
            new HttpSinkConfig("", "", Duration.ofSeconds(10), Duration.ofSeconds(20), 200);

    public HttpSinkConfig {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(tokenFile, "tokenFile");
        Objects.requireNonNull(pushEvery, "pushEvery");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
    }

    /** Whether events go this way. */
    public boolean on() {
        return !url.isBlank();
    }

    /**
     * This config, if it can be worked by.
     *
     * @param section of the config, such as {@code billing.http}
     * @throws IllegalArgumentException with a sentence that names the key to change
     */
    public HttpSinkConfig checked(String section) {
        var rules = new SinkRules(section);
        rules.pushEvery(pushEvery);
        rules.pushTimeout(pushTimeout);
        rules.maxBatchSize(maxBatchSize);
        rules.path("tokenFile", tokenFile);
        if (on() && !SinkRules.isPrivate(rules.url("url", url)) && !tokenFile.isBlank()) {
            throw rules.refused("tokenFile is given, but a token is sent over TLS only: set https in " + section
                    + ".url, not " + url);
        }
        return this;
    }
}
