package io.sluice.billing.wire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * An idempotency key that tells what it stands for: {@code <start>/<uid>/<metric>/<endpoint>}, the last three encoded
 * as in the form of a URL, so that a slash within them is none between them and a key is ASCII without blanks whatever
 * an endpoint is called. The start has nanoseconds: two slices of one key never begin at one instant.
 *
 * @param start where the slice or window begins
 * @param uid the VM's
 * @param metric which amount
 * @param endpoint who pays; may be empty
 */
public record ExactKey(Instant start, String uid, String metric, String endpoint) {
    private static final int PARTS = 4;

    public ExactKey {
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(endpoint, "endpoint");
    }

    /** As it stands in an event. */
    public String text() {
        return WireTime.text(start) + "/" + encoded(uid) + "/" + encoded(metric) + "/" + encoded(endpoint);
    }

    /** Reads one back; empty for a key of another form. */
    public static Optional<ExactKey> parse(String text) {
        var parts = text.split("/", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            var key = new ExactKey(WireTime.parse(parts[0]), decoded(parts[1]), decoded(parts[2]), decoded(parts[3]));
            return key.text().equals(text) ? Optional.of(key) : Optional.empty();
        } catch (DateTimeParseException | IllegalArgumentException otherForm) {
            return Optional.empty();
        }
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
