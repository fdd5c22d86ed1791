package io.sluice.workers;

import java.time.Duration;

/**
 * Agents and controllers that speak RIK's protocol, on listeners of their own on loopback, without TLS.
 *
 * @param enabled whether agents and controllers of RIK are served
 * @param workersPort the listener for RIK's agents; 0 takes any free one
 * @param controllersPort the listener for RIK's controllers; 0 takes any free one
 * @param lease an agent without metrics for this long is suspect
 */
public record RikConfig(boolean enabled, int workersPort, int controllersPort, Duration lease) {
    /** They are not served. */
    public static final RikConfig OFF = new RikConfig(false, 4985, 4986, Duration.ofSeconds(45));

    public RikConfig {
        if (!lease.isPositive()) {
            throw new IllegalArgumentException("workers.rik.lease must be above zero: " + lease);
        }
    }
}
