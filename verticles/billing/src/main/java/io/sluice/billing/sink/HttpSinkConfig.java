package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of billing events by HTTP. {@link #checked} validates them, because messages need the section's name.
 *
 * @param url the base URL to whose {@code /usage_events} events are posted, such as {@code https://billing.example};
 *     empty disables this sink
 * @param tokenFile the file with the bearer token, read again for each request; empty sends none
 * @param pushEvery the longest time that an event waits for its batch
 * @param pushTimeout how long one request may take
 * @param maxBatchSize the most events in one request
 */
public record HttpSinkConfig(String url, String tokenFile, Duration pushEvery, Duration pushTimeout, int maxBatchSize) {
    /** The default: off. */
    public static final HttpSinkConfig DEFAULTS =
            new HttpSinkConfig("", "", Duration.ofSeconds(10), Duration.ofSeconds(20), 200);

    public HttpSinkConfig {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(tokenFile, "tokenFile");
        Objects.requireNonNull(pushEvery, "pushEvery");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
    }

    /** Whether this sink is switched on. */
    public boolean on() {
        return !url.isBlank();
    }

    /**
     * Returns this config if it is valid.
     *
     * @param section section of the config, such as {@code billing.http}
     * @throws IllegalArgumentException with a message that names the key to change
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
