package io.sluice.placement.core.elastic;

import java.time.Duration;
import java.util.Objects;

/**
 * How long jobs wait.
 *
 * @param handoverMax what others give is kept for so long
 * @param growAfter a job that shrank does not grow for so long
 */
public record ElasticRules(Duration handoverMax, Duration growAfter) {
    public static final ElasticRules DEFAULTS = new ElasticRules(Duration.ofSeconds(120), Duration.ofSeconds(60));

    public ElasticRules {
        Objects.requireNonNull(handoverMax, "handoverMax");
        Objects.requireNonNull(growAfter, "growAfter");
    }

    String late() {
        return "the room of others did not come within " + handoverMax.toSeconds() + " s, and they keep it";
    }
}
