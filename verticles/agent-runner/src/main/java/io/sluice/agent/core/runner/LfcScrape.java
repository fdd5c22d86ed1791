package io.sluice.agent.core.runner;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * When the metrics of file caches are read, of the VMs for which they count: section {@code agent.lfc}. Each VM's
 * observation has the address.
 *
 * @param period the time between two scrapes of a VM's file cache
 * @param timeout how long a scrape of a VM's file cache may take
 */
public record LfcScrape(Duration period, Duration timeout) {
    /** The values of Neon's agent. */
    public static final LfcScrape DEFAULTS = new LfcScrape(Duration.ofSeconds(15), Duration.ofSeconds(5));

    public LfcScrape {
        Durations.requirePositive("agent.lfc.period", period);
        Durations.requirePositive("agent.lfc.timeout", timeout);
    }
}
