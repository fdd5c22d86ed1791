package io.sluice.billing.wire;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Reads and writes times of events: RFC 3339 in UTC, with no more digits of the second than needed. */
final class WireTime {
    private static final DateTimeFormatter UTC = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendLiteral('Z')
            .toFormatter()
            .withZone(ZoneOffset.UTC);

    private WireTime() {}

    /** Writes up to nanoseconds. */
    static String text(Instant instant) {
        return UTC.format(instant);
    }

    /** Writes up to microseconds; further digits are cut off. */
    static String micros(Instant instant) {
        return UTC.format(instant.truncatedTo(ChronoUnit.MICROS));
    }

    /**
     * Reads a time of any zone.
     *
     * @throws java.time.format.DateTimeParseException if the text is not a time
     */
    static Instant parse(String text) {
        return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                .toInstant();
    }
}
