package io.sluice.billing.wire;

import io.sluice.billing.core.UsageRecord;
import java.time.Instant;
import java.util.Objects;

/** How the idempotency keys of billing events are made. */
public sealed interface EventKeys {
    /**
     * The key of one event.
     *
     * @param now when the events were made
     * @param charge what it is made of
     * @param metric which amount of that
     * @param n which event of those made together, from 1
     * @param total how many were made together
     */
    String key(Instant now, UsageRecord charge, String metric, int n, int total);

    /**
     * As the reference makes them: {@code <now>-<host>-<n>/<total>}, with the time cut off at microseconds. The same
     * use billed by another process, or billed again, has another key.
     *
     * @param host the agent's host name
     */
    record Numbered(String host) implements EventKeys {
        public Numbered {
            if (Objects.requireNonNull(host, "host").isEmpty()) {
                throw new IllegalArgumentException("host is empty: keys of two processes could be the same");
            }
        }

        @Override
        public String key(Instant now, UsageRecord charge, String metric, int n, int total) {
            return WireTime.micros(now) + "-" + host + "-" + n + "/" + total;
        }
    }

    /**
     * From what is billed alone, see {@link ExactKey}: whoever bills the same use, and however often, makes the same.
     */
    record Exact() implements EventKeys {
        @Override
        public String key(Instant now, UsageRecord charge, String metric, int n, int total) {
            var key = charge.key();
            return new ExactKey(charge.start(), key.vm().uid(), metric, key.endpoint()).text();
        }
    }
}
