package io.sluice.agent.core.runner;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * When the metrics of file caches are read, of the VMs for which they count: section {@code agent.lfc}. Where they
 * answer is told with each VM.
 *
 * @param period from one scrape to the next
 * @param timeout a scrape that takes longer has failed
 */
public record LfcScrape(Duration period, Duration timeout) {
    /** How often Neon's VMs are asked. */
    public static final LfcScrape DEFAULTS = new LfcScrape(Duration.ofSeconds(15), Duration.ofSeconds(5));

    public LfcScrape {
        requirePositive("period", period);
        requirePositive("timeout", timeout);
    }

    private static void requirePositive(String key, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("agent.lfc." + key + "=" + Durations.text(value) + " must be positive");
        }
    }
}
