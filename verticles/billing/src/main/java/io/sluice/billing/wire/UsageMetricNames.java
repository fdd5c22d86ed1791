package io.sluice.billing.wire;

/**
 * The names of the two metrics in events.
 *
 * @param compute metric of vCPU-seconds
 * @param active metric of seconds in use
 */
public record UsageMetricNames(String compute, String active) {
    /** The names of the reference's deployment. */
    public static final UsageMetricNames DEFAULTS =
            new UsageMetricNames("effective_compute_seconds", "active_time_seconds");

    public UsageMetricNames {
        if (compute.isEmpty() || active.isEmpty()) {
            throw new IllegalArgumentException("a metric has no name: \"" + compute + "\", \"" + active + "\"");
        }
        if (compute.equals(active)) {
            throw new IllegalArgumentException("two amounts have one name: " + compute);
        }
    }
}
