package io.sluice.placement.elastic;

import io.sluice.placement.core.elastic.ElasticRules;
import java.time.Duration;

/**
 * The section {@code placement.elastic}: whether objects of the kind {@code ElasticJob} are scaled.
 *
 * @param enabled whether objects of the kind {@code ElasticJob} are scaled
 * @param tick how often all are planned anew; sooner where one of them changed, or waits for room of others
 * @param shrinkTimeout how long the room that jobs give is kept for another one
 * @param growCooldown how long a job that shrank does not grow
 */
public record ElasticConfig(boolean enabled, Duration tick, Duration shrinkTimeout, Duration growCooldown) {
    /** Off. */
    public static final ElasticConfig DEFAULTS = new ElasticConfig(
            false, Duration.ofSeconds(30), ElasticRules.DEFAULTS.handoverMax(), ElasticRules.DEFAULTS.growAfter());

    public ElasticConfig {
        if (tick.compareTo(Duration.ofSeconds(1)) < 0 || !shrinkTimeout.isPositive() || growCooldown.isNegative()) {
            throw new IllegalArgumentException(
                    "placement.elastic.tick must be at least 1s, shrinkTimeout positive, growCooldown not negative");
        }
    }

    ElasticRules rules() {
        return new ElasticRules(shrinkTimeout, growCooldown);
    }
}
