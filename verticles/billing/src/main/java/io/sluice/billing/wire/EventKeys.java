package io.sluice.billing.wire;

import io.sluice.billing.core.UsageRecord;
import java.time.Instant;
import java.util.Objects;

/** Makes the idempotency keys of billing events. */
public sealed interface EventKeys {
    /**
     * Returns the key of one event.
     *
     * @param now when the events were made
     * @param charge the usage record of the event
     * @param metric the metric of the event
     * @param n number of the event among those made together, from 1
     * @param total how many events were made together
     */
    String key(Instant now, UsageRecord charge, String metric, int n, int total);

    /**
     * Keys of the reference: {@code <now>-<host>-<n>/<total>}, with the time truncated to microseconds. If another
     * process bills the same use, or it is billed again, the key differs.
     *
     * @param host host name of the process
     */
    record Numbered(String host) implements EventKeys {
        public Numbered {
            if (Objects.requireNonNull(host, "host").isEmpty()) {
                throw new IllegalArgumentException("host is empty: two processes could make equal keys");
            }
        }

        @Override
        public String key(Instant now, UsageRecord charge, String metric, int n, int total) {
            return WireTime.micros(now) + "-" + host + "-" + n + "/" + total;
        }
    }

    /**
     * Keys made from the billed use alone, see {@link ExactKey}: all processes that bill the same use make the same
     * key.
     */
    record Exact() implements EventKeys {
        @Override
        public String key(Instant now, UsageRecord charge, String metric, int n, int total) {
            var key = charge.key();
            return new ExactKey(charge.start(), key.vm().uid(), metric, key.endpoint()).text();
        }
    }
}
