package io.sluice.pressure.core.actions;

import io.sluice.shell.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Suppresses repeats of recent decisions. */
final class RepeatFilter {
    private static final Duration NEWS_AFTER = Duration.ofMinutes(1);
    private static final int REMEMBERED_MAX = 10_000;

    private record Reported(String gist, Instant when) {}

    private final Map<String, Reported> reported = BoundedMap.ofNewest(REMEMBERED_MAX);

    /** Whether this gist was not published of the subject within the last minute; records it if so. */
    boolean isNews(String subject, String gist, Instant now) {
        var before = reported.get(subject);
        if (before != null
                && before.gist().equals(gist)
                && now.isBefore(before.when().plus(NEWS_AFTER))) {
            return false;
        }
        reported.remove(subject);
        reported.put(subject, new Reported(gist, now));
        return true;
    }
}
