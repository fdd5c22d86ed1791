package io.sluice.agent.core.runner;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Lets a report pass when its content changed, and otherwise at most once in a period.
 *
 * @param <K> the kinds of report; there are only a few of them
 */
public final class ReportThrottle<K> {
    private final Duration every;
    private final Map<K, Reported> last = new HashMap<>();

    private record Reported(Object content, Instant at) {}

    /** @param every how long a report without a change is held back */
    public ReportThrottle(Duration every) {
        this.every = Objects.requireNonNull(every, "every");
    }

    /** Whether to report it now; if so, it counts as reported. */
    public boolean lets(K kind, Object content, Instant now) {
        var before = last.get(kind);
        if (before != null
                && before.content().equals(content)
                && now.isBefore(before.at().plus(every))) {
            return false;
        }
        last.put(kind, new Reported(content, now));
        return true;
    }
}
