package io.sluice.agent.core.runner;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Where and when the metrics of file caches are read, of the VMs for which they count: section {@code agent.lfc}.
 *
 * @param port where they answer, at the host of the VM's own metrics
 * @param path the HTTP path there
 * @param period from one scrape to the next
 * @param timeout a scrape that takes longer has failed
 */
public record LfcScrape(int port, String path, Duration period, Duration timeout) {
    /** Where Neon's VMs answer, and how often they are asked there. */
    public static final LfcScrape DEFAULTS =
            new LfcScrape(9499, "/metrics", Duration.ofSeconds(15), Duration.ofSeconds(5));

    private static final int PORT_MAX = 65_535;

    public LfcScrape {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("agent.lfc.port=" + port + " must be between 1 and " + PORT_MAX);
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("agent.lfc.path=" + path + " must begin with /");
        }
        requirePositive("period", period);
        requirePositive("timeout", timeout);
    }

    private static void requirePositive(String key, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("agent.lfc." + key + "=" + Durations.text(value) + " must be positive");
        }
    }
}
