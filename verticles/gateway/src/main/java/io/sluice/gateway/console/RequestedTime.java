package io.sluice.gateway.console;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/** The time of a request, as the user wrote it. */
sealed interface RequestedTime {
    /**
     * A time, or none for now.
     *
     * @param time the time
     */
    record Known(Optional<Instant> time) implements RequestedTime {}

    /**
     * Not a valid time.
     *
     * @param sentence what was expected
     */
    record Wrong(String sentence) implements RequestedTime {}

    Pattern EPOCH_MS = Pattern.compile("\\d{1,15}");

    /** Reads epoch milliseconds, or ISO-8601 with its offset from UTC; an empty text means now. */
    static RequestedTime read(String text) {
        if (text == null || text.isBlank()) {
            return new Known(Optional.empty());
        }
        var trimmed = text.strip();
        if (EPOCH_MS.matcher(trimmed).matches()) {
            return new Known(Optional.of(Instant.ofEpochMilli(Long.parseLong(trimmed))));
        }
        try {
            // In a URL, a plus that is not written as %2B arrives as a space.
            return new Known(
                    Optional.of(OffsetDateTime.parse(trimmed.replace(' ', '+')).toInstant()));
        } catch (DateTimeException notATime) {
            return new Wrong("at must be a time such as 2026-11-21T08:30:00Z, or milliseconds since 1970, not "
                    + trimmed.substring(0, Math.min(64, trimmed.length())));
        }
    }
}
