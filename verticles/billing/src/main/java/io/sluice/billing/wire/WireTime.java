package io.sluice.billing.wire;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Times as they stand in events: RFC 3339 in UTC with as many digits of the second as are needed, and no more. */
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

    /** Up to nanoseconds. */
    static String text(Instant instant) {
        return UTC.format(instant);
    }

    /** Up to microseconds; what is beyond is cut off. */
    static String micros(Instant instant) {
        return UTC.format(instant.truncatedTo(ChronoUnit.MICROS));
    }

    /**
     * Reads a time of any zone.
     *
     * @throws java.time.format.DateTimeParseException when it is none
     */
    static Instant parse(String text) {
        return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                .toInstant();
    }
}
