package io.sluice.pressure.core.migrations;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells what is news from what was said a short while ago. */
final class RepeatFilter {
    private static final Duration NEWS_AFTER = Duration.ofMinutes(1);
    private static final int REMEMBERED_MAX = 10_000;

    private record Reported(String gist, Instant when) {}

    private final Map<String, Reported> said = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reported> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    /** Whether this was not said of the subject lately; from now on it was. */
    boolean isNews(String subject, String gist, Instant now) {
        var before = said.get(subject);
        if (before != null
                && before.gist().equals(gist)
                && now.isBefore(before.when().plus(NEWS_AFTER))) {
            return false;
        }
        said.remove(subject);
        said.put(subject, new Reported(gist, now));
        return true;
    }
}
