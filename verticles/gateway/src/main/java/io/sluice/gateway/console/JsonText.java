package io.sluice.gateway.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.sluice.units.Resources;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Writes JSON to memory; amounts are {@code [milliCpu, memoryBytes]}, times are epoch milliseconds. */
final class JsonText {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build();
    private static final int BYTES_AT_FIRST = 1024;

    private final JsonGenerator out;

    private JsonText(JsonGenerator out) {
        this.out = out;
    }

    /** Writes the fields of an object, or a value. */
    interface Content {
        void to(JsonText json) throws IOException;
    }

    /** Writes an element of an array. */
    interface Element<T> {
        void write(JsonText json, T element) throws IOException;
    }

    /** Returns an object. */
    static Buffer object(Content fields) {
        return value(json -> json.open(fields));
    }

    /** Returns a value. */
    static Buffer value(Content content) {
        var bytes = new ByteArrayOutputStream(BYTES_AT_FIRST);
        append(bytes, content);
        return Buffer.buffer(bytes.toByteArray());
    }

    /** Appends a value to existing bytes. */
    static void append(ByteArrayOutputStream bytes, Content content) {
        try (var generator = FACTORY.createGenerator(bytes)) {
            content.to(new JsonText(generator));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Returns the generator, for values of other shapes. */
    JsonGenerator out() {
        return out;
    }

    /** Writes an object as the value itself. */
    JsonText open(Content fields) throws IOException {
        out.writeStartObject();
        fields.to(this);
        out.writeEndObject();
        return this;
    }

    JsonText object(String name, Content fields) throws IOException {
        out.writeFieldName(name);
        return open(fields);
    }

    /** Writes an object, or {@code null} if there is no value. */
    <T> JsonText object(String name, Optional<T> value, Element<T> writer) throws IOException {
        out.writeFieldName(name);
        if (value.isEmpty()) {
            out.writeNull();
        } else {
            writer.write(this, value.get());
        }
        return this;
    }

    <T> JsonText array(String name, Collection<T> elements, Element<T> writer) throws IOException {
        out.writeArrayFieldStart(name);
        for (var element : elements) {
            writer.write(this, element);
        }
        out.writeEndArray();
        return this;
    }

    JsonText texts(String name, Collection<String> texts) throws IOException {
        return array(name, texts, (json, text) -> out.writeString(text));
    }

    JsonText text(String name, String text) throws IOException {
        out.writeStringField(name, text);
        return this;
    }

    JsonText number(String name, long number) throws IOException {
        out.writeNumberField(name, number);
        return this;
    }

    JsonText number(String name, Optional<? extends Number> number) throws IOException {
        out.writeFieldName(name);
        numberOrNull(number);
        return this;
    }

    /** Writes the value itself: whole numbers as they are, others with four digits after the point. */
    JsonText numberOrNull(Optional<? extends Number> number) throws IOException {
        switch (number.orElse(null)) {
            case null -> out.writeNull();
            case Double value -> out.writeNumber(Math.round(value * 10_000) / 10_000.0);
            case Float value -> out.writeNumber(Math.round(value * 10_000) / 10_000.0);
            case Number value -> out.writeNumber(value.longValue());
        }
        return this;
    }

    JsonText flag(String name, boolean flag) throws IOException {
        out.writeBooleanField(name, flag);
        return this;
    }

    JsonText time(String name, Instant time) throws IOException {
        out.writeNumberField(name, time.toEpochMilli());
        return this;
    }

    JsonText time(String name, Optional<Instant> time) throws IOException {
        return number(name, time.map(Instant::toEpochMilli));
    }

    JsonText amount(String name, Resources amount) throws IOException {
        out.writeFieldName(name);
        return amount(amount);
    }

    JsonText amount(String name, Optional<Resources> amount) throws IOException {
        return object(name, amount, JsonText::amount);
    }

    /** Writes an amount as the value itself. */
    private JsonText amount(Resources amount) throws IOException {
        out.writeStartArray();
        out.writeNumber(amount.milliCpu());
        out.writeNumber(amount.memoryBytes());
        out.writeEndArray();
        return this;
    }
}
