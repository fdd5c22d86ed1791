package io.sluice.billing.wire;

/**
 * How receivers call the two amounts.
 *
 * @param compute vCPU-seconds
 * @param active seconds in use
 */
public record UsageMetricNames(String compute, String active) {
    /** As the reference is deployed. */
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
