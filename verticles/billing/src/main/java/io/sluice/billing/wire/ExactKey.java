package io.sluice.billing.wire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * An idempotency key with the form {@code <start>/<uid>/<metric>/<endpoint>}. The last three parts are URL-encoded, so
 * that no slash within them separates parts, and the key is ASCII without blanks. The start has nanoseconds, so two
 * slices of one meter key never have equal keys.
 *
 * @param start start of the slice or window
 * @param uid the VM's uid
 * @param metric name of the metric
 * @param endpoint the endpoint that pays; may be empty
 */
public record ExactKey(Instant start, String uid, String metric, String endpoint) {
    private static final int PARTS = 4;

    public ExactKey {
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(endpoint, "endpoint");
    }

    /** Returns the key as text for an event. */
    public String text() {
        return WireTime.text(start) + "/" + encoded(uid) + "/" + encoded(metric) + "/" + encoded(endpoint);
    }

    /** Reads a key; empty for a key of another form. */
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
