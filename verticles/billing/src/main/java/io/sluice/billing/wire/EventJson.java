package io.sluice.billing.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Reads and writes one JSON object as one line of ASCII, so that no endpoint name can break the line. Errors name the
 * field that is wrong.
 */
final class EventJson {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int USUAL_BYTES = 320;

    private static final ObjectReader READER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private EventJson() {}

    /** Writes the fields of one object. */
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] line(Fields fields) {
        var bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (var json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException notInMemory) {
            throw new UncheckedIOException(notInMemory);
        }
        return bytes.toByteArray();
    }

    static JsonNode object(String line) throws UnreadableEventException {
        try {
            JsonNode json = READER.readValue(line);
            if (!json.isObject()) {
                throw new UnreadableEventException("the line", "a JSON object", json);
            }
            return json;
        } catch (JsonProcessingException notJson) {
            throw new UnreadableEventException(notJson);
        }
    }

    static String text(JsonNode json, String field) throws UnreadableEventException {
        var value = json.path(field);
        if (!value.isTextual()) {
            throw new UnreadableEventException(field, "a text", value);
        }
        return value.textValue();
    }

    static Instant time(JsonNode json, String field) throws UnreadableEventException {
        try {
            return WireTime.parse(text(json, field));
        } catch (DateTimeParseException noTime) {
            throw new UnreadableEventException(field, "a time like 2025-03-04T05:06:07.89Z", json.get(field));
        }
    }

    static long count(JsonNode json, String field) throws UnreadableEventException {
        var value = json.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new UnreadableEventException(field, "a whole number of at least 0", value);
        }
        return value.longValue();
    }

    static long whole(JsonNode json, String field) throws UnreadableEventException {
        var value = json.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new UnreadableEventException(field, "a whole number", value);
        }
        return value.longValue();
    }
}
