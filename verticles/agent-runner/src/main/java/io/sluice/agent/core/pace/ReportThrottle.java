package io.sluice.agent.core.pace;

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

    /** @param held how many were held back since */
    private record Reported(Object content, Instant at, int held) {}

    /** @param every how long a report without a change is held back */
    public ReportThrottle(Duration every) {
        this.every = Objects.requireNonNull(every, "every");
    }

    /**
     * Lets a report pass, or holds it back.
     *
     * @return how many reports this one stands for: itself, and those of its kind that were held back before it; 0 if
     *     it is held back
     */
    public int pass(K kind, Object content, Instant now) {
        var before = last.get(kind);
        if (before != null
                && before.content().equals(content)
                && now.isBefore(before.at().plus(every))) {
            last.put(kind, new Reported(content, before.at(), before.held() + 1));
            return 0;
        }
        last.put(kind, new Reported(content, now, 0));
        return before == null ? 1 : before.held() + 1;
    }
}
