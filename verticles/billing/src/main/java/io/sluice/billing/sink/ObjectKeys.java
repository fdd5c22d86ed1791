package io.sluice.billing.sink;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.BiFunction;

/**
 * Makes the names of batches from the time when a batch is closed and a short UUID.
 *
 * <p>Interop: readers of a bucket expect these names.
 */
public final class ObjectKeys {
    private static final DateTimeFormatter USAGE = utc("'year='uuuu'/month='MM'/day='dd'/hour='HH'/'HH:mm:ss'Z'");
    private static final DateTimeFormatter SCALING = utc("uuuu'/'MM'/'dd'/'HH");
    private static final String ENDING = ".ndjson.gz";

    private ObjectKeys() {}

    /**
     * Returns keys of objects with billing events:
     * {@code year=2025/month=03/day=04/hour=05/05:06:07Z_<uuid>.ndjson.gz}.
     *
     * @param prefix prefix of the keys; empty for none; slashes at its end are removed
     */
    public static BiFunction<Instant, String, String> usage(String prefix) {
        var trimmed = trimmed(prefix);
        var folder = trimmed.isEmpty() ? "" : trimmed + "/";
        return (closedAt, uuid) -> folder + USAGE.format(closedAt) + "_" + uuid + ENDING;
    }

    /**
     * Returns keys of objects with scaling events: {@code <prefix>/2025/03/04/05/events_<uuid>.ndjson.gz}.
     *
     * @param prefix prefix of the keys, unchanged
     */
    public static BiFunction<Instant, String, String> scalingEvents(String prefix) {
        return (closedAt, uuid) -> prefix + "/" + SCALING.format(closedAt) + "/events_" + uuid + ENDING;
    }

    /** Returns names of batches that are not objects: the trace id for HTTP, and the batch's name for files. */
    public static BiFunction<Instant, String, String> none() {
        return (closedAt, uuid) -> uuid;
    }

    private static String trimmed(String prefix) {
        int end = prefix.length();
        while (end > 0 && prefix.charAt(end - 1) == '/') {
            end--;
        }
        return prefix.substring(0, end);
    }

    private static DateTimeFormatter utc(String pattern) {
        return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
    }
}
