package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Events as objects of a bucket of S3, or of what speaks like it; credentials come from where AWS' tools look for them.
 * Whether it fits is checked by {@link #checked}, as only the owner knows the section's name.
 *
 * @param bucket where objects are put; empty switches this off
 * @param region of the bucket
 * @param endpoint where another S3 than Amazon's listens, such as {@code https://minio:9000}; empty for Amazon's
 * @param prefix of the objects' keys
 * @param pushEvery how long an event waits for others at most
 * @param pushTimeout how long putting one object may take, with what it takes to get credentials
 * @param maxBatchSize how many events share an object at most
 */
public record S3SinkConfig(
        String bucket,
        String region,
        String endpoint,
        String prefix,
        Duration pushEvery,
        Duration pushTimeout,
        int maxBatchSize) {
    /** Off. */
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

    /** Whether events go this way. */
    public boolean on() {
        return !bucket.isBlank();
    }

    /**
     * This config, if it can be worked by.
     *
     * @param section of the config, such as {@code billing.s3}
     * @throws IllegalArgumentException with a sentence that names the key to change
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

    /** The same where keys without a prefix would lie among others'. */
    public S3SinkConfig checkedWithPrefix(String section) {
        if (on()) {
            new SinkRules(section).named("prefix", prefix, "the beginning of the objects' keys");
        }
        return checked(section);
    }
}
