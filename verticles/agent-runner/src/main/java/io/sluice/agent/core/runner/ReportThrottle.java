package io.sluice.agent.core.runner;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Lets something be said when it changed, and otherwise no more often than once in a while.
 *
 * @param <K> what is told apart; there are only a few of them
 */
public final class ReportThrottle<K> {
    private final Duration every;
    private final Map<K, Reported> last = new HashMap<>();

    private record Reported(Object content, Instant at) {}

    /** @param every how long what did not change is kept back */
    public ReportThrottle(Duration every) {
        this.every = Objects.requireNonNull(every, "every");
    }

    /** Whether to say it now; if so, it counts as said. */
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
