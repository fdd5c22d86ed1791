package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of events as objects of a bucket of S3 or of a compatible store; credentials come from AWS' default chain.
 * {@link #checked} validates them, because messages need the section's name.
 *
 * @param bucket the bucket that objects are written to; empty disables this sink
 * @param region the bucket's region
 * @param endpoint the URL of another S3 service than Amazon's, such as {@code https://minio:9000}; empty for Amazon's
 * @param prefix the prefix of the objects' keys
 * @param pushEvery the longest time that an event waits for its batch
 * @param pushTimeout how long writing one object may take, with the time to get credentials
 * @param maxBatchSize the most events in one object
 */
public record S3SinkConfig(
        String bucket,
        String region,
        String endpoint,
        String prefix,
        Duration pushEvery,
        Duration pushTimeout,
        int maxBatchSize) {
    /** The default: off. */
    public static final S3SinkConfig DEFAULTS =
            new S3SinkConfig("", "", "", "", Duration.ofSeconds(10), Duration.ofSeconds(20), 200);

    public S3SinkConfig {
        Objects.requireNonNull(bucket, "bucket");
        Objects.requireNonNull(region, "region");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(pushEvery, "pushEvery");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
    }

    /** Whether this sink is switched on. */
    public boolean on() {
        return !bucket.isBlank();
    }

    /**
     * Returns this config if it is valid.
     *
     * @param section section of the config, such as {@code billing.s3}
     * @throws IllegalArgumentException with a message that names the key to change
     */
    public S3SinkConfig checked(String section) {
        var rules = new SinkRules(section);
        rules.pushEvery(pushEvery);
        rules.pushTimeout(pushTimeout);
        rules.maxBatchSize(maxBatchSize);
        rules.prefix(prefix);
        if (on()) {
            rules.named("region", region, "the bucket's region");
            if (!endpoint.isBlank()) {
                rules.url("endpoint", endpoint);
            }
        }
        return this;
    }

    /** Like {@link #checked}, and requires a prefix, without which keys would mix with those of other writers. */
    public S3SinkConfig checkedWithPrefix(String section) {
        if (on()) {
            new SinkRules(section).named("prefix", prefix, "the beginning of the objects' keys");
        }
        return checked(section);
    }
}
