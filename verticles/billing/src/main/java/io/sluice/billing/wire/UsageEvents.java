package io.sluice.billing.wire;

import io.sluice.billing.core.UsageRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Makes two events of each usage record: first its vCPU-seconds, then its seconds in use.
 *
 * @param metrics names of the metrics
 * @param keys makes the idempotency keys
 */
public record UsageEvents(UsageMetricNames metrics, EventKeys keys) {
    public UsageEvents {
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(keys, "keys");
    }

    /** Returns the events of usage records that were made together. */
    public List<UsageEvent> of(List<UsageRecord> charges, Instant now) {
        int total = 2 * charges.size();
        var events = new ArrayList<UsageEvent>(total);
        for (var charge : charges) {
            events.add(event(charge, metrics.compute(), charge.computeSeconds(), now, events.size() + 1, total));
            events.add(event(charge, metrics.active(), charge.activeSeconds(), now, events.size() + 1, total));
        }
        return events;
    }

    private UsageEvent event(UsageRecord charge, String metric, long value, Instant now, int n, int total) {
        var key = keys.key(now, charge, metric, n, total);
        return new UsageEvent(key, metric, charge.key().endpoint(), charge.start(), charge.stop(), value);
    }
}
