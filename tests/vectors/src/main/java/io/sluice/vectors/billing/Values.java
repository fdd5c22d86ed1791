package io.sluice.vectors.billing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.vectors.Recording;
import java.time.Instant;

/** The values of one recorded line. */
record Values(Recording.Line line, JsonNode json) {
    static Values of(Recording.Line line) {
        return new Values(line, line.json());
    }

    boolean has(String key) {
        return json.hasNonNull(key);
    }

    /** An absent text is an empty one. */
    String text(String key) {
        var value = json.path(key);
        if (!value.isMissingNode() && !value.isNull() && !value.isTextual()) {
            throw line.malformed("`" + key + "` should be a text: " + value);
        }
        return value.asText("");
    }

    long whole(String key) {
        var value = json.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw line.malformed("`" + key + "` should be a whole number of at least 0: " + value);
        }
        return value.longValue();
    }

    Instant instant(String key) {
        return Instant.EPOCH.plusNanos(whole(key));
    }

    boolean flag(String key) {
        return json.path(key).asBoolean(false);
    }
}
