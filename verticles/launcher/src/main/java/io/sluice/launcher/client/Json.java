package io.sluice.launcher.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a console's reply; one that is not there has no text, no fields and the number 0.
 *
 * <p>Jackson's own tree is in databind, whose start takes more time than a command has.
 */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Json ABSENT = new Json("");

    /** A {@code Map} of names to values, a {@code List} of values, a text, a number, a truth value, or null. */
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    /** No value. */
    static Json absent() {
        return ABSENT;
    }

    /** Of a map of names to values, a list, a text, a number or a truth value. */
    static Json of(Object value) {
        return new Json(
                switch (value) {
                    case Map<?, ?> fields -> {
                        var copy = new LinkedHashMap<String, Json>();
                        fields.forEach((name, field) -> copy.put(String.valueOf(name), of(field)));
                        yield copy;
                    }
                    case List<?> values -> values.stream().map(Json::of).toList();
                    default -> value;
                });
    }

    static Json read(byte[] text) throws IOException {
        try (var parser = FACTORY.createParser(text)) {
            return parser.nextToken() == null ? ABSENT : read(parser);
        }
    }

    static Json read(String text) throws IOException {
        try (var parser = FACTORY.createParser(text)) {
            return parser.nextToken() == null ? ABSENT : read(parser);
        }
    }

    /** Reads the value that begins with the current token. The parser bounds how deep values are nested. */
    private static Json read(JsonParser parser) throws IOException {
        return new Json(
                switch (parser.currentToken()) {
                    case START_OBJECT -> readFields(parser);
                    case START_ARRAY -> readValues(parser);
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
                    case VALUE_TRUE -> true;
                    case VALUE_FALSE -> false;
                    case VALUE_NULL -> null;
                    default -> parser.getText();
                });
    }

    private static Map<String, Json> readFields(JsonParser parser) throws IOException {
        var fields = new LinkedHashMap<String, Json>();
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            fields.put(name, read(parser));
        }
        return fields;
    }

    private static List<Json> readValues(JsonParser parser) throws IOException {
        var values = new ArrayList<Json>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(read(parser));
        }
        return values;
    }

    Json path(String name) {
        return fields().getOrDefault(name, ABSENT);
    }

    @SuppressWarnings("unchecked")
    Map<String, Json> fields() {
        return value instanceof Map<?, ?> ? (Map<String, Json>) value : Map.of();
    }

    @SuppressWarnings("unchecked")
    List<Json> values() {
        return isList() ? (List<Json>) value : List.of();
    }

    boolean isList() {
        return value instanceof List<?>;
    }

    boolean isNumber() {
        return value instanceof Number;
    }

    boolean isText() {
        return this != ABSENT && value instanceof String;
    }

    boolean isTruth() {
        return value instanceof Boolean;
    }

    boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }

    long number() {
        return value instanceof Number number ? number.longValue() : 0;
    }

    /** A text, or a number or truth value as one. */
    String text() {
        return text("");
    }

    String text(String other) {
        return this == ABSENT || value instanceof Map<?, ?> || value instanceof List<?> ? other : String.valueOf(value);
    }

    /** As JSON without blanks. */
    @Override
    public String toString() {
        return this == ABSENT ? "" : text(FACTORY, new MinimalPrettyPrinter(""));
    }

    /** In the format of a factory, with line breaks. */
    String text(JsonFactory format) {
        return text(format, new DefaultPrettyPrinter());
    }

    private String text(JsonFactory format, PrettyPrinter printer) {
        var text = new StringWriter();
        try (var out = format.createGenerator(text)) {
            out.setPrettyPrinter(printer);
            write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private void write(JsonGenerator out) throws IOException {
        if (value instanceof Map<?, ?>) {
            out.writeStartObject();
            for (var field : fields().entrySet()) {
                out.writeFieldName(field.getKey());
                field.getValue().write(out);
            }
            out.writeEndObject();
        } else if (isList()) {
            out.writeStartArray();
            for (var element : values()) {
                element.write(out);
            }
            out.writeEndArray();
        } else {
            out.writePOJO(value);
        }
    }
}
