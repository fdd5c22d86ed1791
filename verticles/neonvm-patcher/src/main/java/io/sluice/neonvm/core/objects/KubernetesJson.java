package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.shell.Quantities;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Reads fields of JSON objects. Each error names the field and the value that was read. */
public final class KubernetesJson {
    public static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private KubernetesJson() {}

    /** The value of a label or annotation; empty if there is none. */
    static String metadata(JsonNode object, String map, String key) {
        return object.path("metadata").path(map).path(key).asText("");
    }

    static JsonNode parse(String field, String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(field + " is no JSON: " + noJson.getOriginalMessage(), noJson);
        }
    }

    static String text(JsonNode object, String field) {
        var value = object.path(field);
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return value.textValue();
    }

    /** CPU in milli-CPU, written as a number or as a quantity. */
    static long milliCpu(JsonNode object, String field) {
        return Quantities.milliCpu(scalar(object, field));
    }

    /** Memory in bytes, written as a number or as a quantity. */
    static long bytes(JsonNode object, String field) {
        return Quantities.bytes(scalar(object, field));
    }

    /** A count from 1. */
    static long count(JsonNode object, String field) {
        var value = object.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 1) {
            throw new IllegalArgumentException(field + " must be a whole number from 1, not " + shown(value));
        }
        return value.longValue();
    }

    /** The version of an object; Sluice requires that it grows with each change. */
    static long version(JsonNode object) {
        return version(object.path("metadata").path("resourceVersion").asText(""));
    }

    static long version(String resourceVersion) {
        try {
            return Long.parseLong(resourceVersion);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "metadata.resourceVersion must be a number, not '" + resourceVersion + "'", notANumber);
        }
    }

    /** When an object was created, in seconds since 1970; 0 if the object does not have it. */
    static long createdAtSeconds(JsonNode object) {
        var timestamp = object.path("metadata").path("creationTimestamp").asText("");
        try {
            return timestamp.isEmpty() ? 0 : Instant.parse(timestamp).getEpochSecond();
        } catch (DateTimeParseException notATime) {
            throw new IllegalArgumentException("metadata.creationTimestamp is no time: " + timestamp, notATime);
        }
    }

    /**
     * When an object was last changed, in seconds since 1970, by its managed fields; 0 if they have no time. An invalid
     * time counts as none, since no size depends on it.
     */
    static long changedAtSeconds(JsonNode object) {
        return object.path("metadata")
                .path("managedFields")
                .valueStream()
                .mapToLong(entry -> secondsOr0(entry.path("time").asText("")))
                .max()
                .orElse(0);
    }

    private static long secondsOr0(String time) {
        try {
            return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
        } catch (DateTimeParseException notATime) {
            return 0;
        }
    }

    private static String scalar(JsonNode object, String field) {
        var value = object.path(field);
        if (!value.isValueNode() || value.isNull()) {
            throw new IllegalArgumentException(field + " must be a quantity, not " + shown(value));
        }
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asText();
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "nothing" : value.toString();
    }
}
