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

/** Writes JSON straight into memory; amounts are {@code [milliCpu, memoryBytes]}, times are epoch milliseconds. */
final class JsonText {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build();
    private static final int BYTES_AT_FIRST = 1024;

    private final JsonGenerator out;

    private JsonText(JsonGenerator out) {
        this.out = out;
    }

    /** Something that is written. */
    interface Content {
        void to(JsonText json) throws IOException;
    }

    /** Writes an element of an array. */
    interface Element<T> {
        void write(JsonText json, T element) throws IOException;
    }

    /** An object alone. */
    static Buffer object(Content members) {
        return value(json -> json.open(members));
    }

    /** A value alone. */
    static Buffer value(Content content) {
        var bytes = new ByteArrayOutputStream(BYTES_AT_FIRST);
        append(bytes, content);
        return Buffer.buffer(bytes.toByteArray());
    }

    /** A value after what is there already. */
    static void append(ByteArrayOutputStream bytes, Content content) {
        try (var generator = FACTORY.createGenerator(bytes)) {
            content.to(new JsonText(generator));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** What it all goes to, for values of other shapes. */
    JsonGenerator out() {
        return out;
    }

    /** The value itself is an object. */
    JsonText open(Content members) throws IOException {
        out.writeStartObject();
        members.to(this);
        out.writeEndObject();
        return this;
    }

    JsonText object(String name, Content members) throws IOException {
        out.writeFieldName(name);
        return open(members);
    }

    /** An object, or {@code null} where there is nothing to write. */
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

    /** The value itself; whole numbers as such, others to four digits after the point. */
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

    /** The value itself is an amount. */
    private JsonText amount(Resources amount) throws IOException {
        out.writeStartArray();
        out.writeNumber(amount.milliCpu());
        out.writeNumber(amount.memoryBytes());
        out.writeEndArray();
        return this;
    }
}
