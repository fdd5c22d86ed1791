package io.sluice.gateway.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writes any message of the bus as JSON for users: the case of a sealed message as {@code type}, amounts and times in
 * the format of the config, a bounded number of values, and nothing whose name is that of a secret.
 */
final class MessageJson {
    private static final Pattern SECRET =
            Pattern.compile("token|secret|password|authorization", Pattern.CASE_INSENSITIVE);
    private static final String REDACTED = "(redacted)";
    private static final String MORE = "…";
    private static final int VALUES_MAX = 2_000;
    private static final int DEPTH_MAX = 12;
    private static final double WHOLE_MAX = 1e15;
    private static final int CHARACTERS_MAX = 1_000;

    private final JsonGenerator out;
    private final boolean plainAmounts;
    private int valuesLeft = VALUES_MAX;
    private int depth;

    private MessageJson(JsonGenerator out, boolean plainAmounts) {
        this.out = out;
        this.plainAmounts = plainAmounts;
    }

    /** Writes the message as a value, with amounts in readable units. */
    static void readable(JsonText json, Object message) throws IOException {
        new MessageJson(json.out(), false).value(message);
    }

    /** Writes the message as a value, with amounts and times as in the rest of the console's JSON. */
    static void plain(JsonText json, Object message) throws IOException {
        new MessageJson(json.out(), true).value(message);
    }

    private void value(Object value) throws IOException {
        valuesLeft--;
        switch (value) {
            case null -> out.writeNull();
            case Optional<?> optional -> value(optional.orElse(null));
            case Resources amount -> amount(amount);
            case Duration time -> time(time);
            case Instant time -> time(time);
            case Boolean flag -> out.writeBoolean(flag);
            case Double number -> number(number);
            case Float number -> number(Double.parseDouble(number.toString()));
            case Number number -> out.writeNumber(number.longValue());
            case Enum<?> constant -> out.writeString(constant.name());
            case Record message -> message(message);
            case Collection<?> elements -> elements(elements);
            case Map<?, ?> entries -> entries(entries);
            default -> out.writeString(cut(value.toString()));
        }
    }

    /** Whole numbers in floating point are written as whole numbers. */
    private void number(double number) throws IOException {
        if (number == Math.rint(number) && Math.abs(number) < WHOLE_MAX) {
            out.writeNumber((long) number);
        } else {
            out.writeNumber(number);
        }
    }

    private void amount(Resources amount) throws IOException {
        if (plainAmounts) {
            out.writeStartArray();
            out.writeNumber(amount.milliCpu());
            out.writeNumber(amount.memoryBytes());
            out.writeEndArray();
        } else {
            out.writeString(Quantities.text(amount));
        }
    }

    private void time(Duration time) throws IOException {
        if (plainAmounts) {
            out.writeNumber(time.toMillis());
        } else {
            out.writeString(Durations.text(time));
        }
    }

    private void time(Instant time) throws IOException {
        if (plainAmounts) {
            out.writeNumber(time.toEpochMilli());
        } else {
            out.writeString(time.toString());
        }
    }

    private void message(Record message) throws IOException {
        if (tooMuch()) {
            return;
        }
        depth++;
        out.writeStartObject();
        var shape = MessageParts.of(message.getClass());
        if (shape.type().isPresent()) {
            out.writeStringField("type", shape.type().get());
        }
        for (var part : shape.parts()) {
            reservation(part.name(), part.in(message));
        }
        out.writeEndObject();
        depth--;
    }

    private void entries(Map<?, ?> entries) throws IOException {
        if (tooMuch()) {
            return;
        }
        depth++;
        out.writeStartObject();
        for (var entry : entries.entrySet()) {
            if (valuesLeft <= 0) {
                out.writeStringField(MORE, entries.size() + " in all");
                break;
            }
            reservation(String.valueOf(entry.getKey()), entry.getValue());
        }
        out.writeEndObject();
        depth--;
    }

    private void elements(Collection<?> elements) throws IOException {
        if (tooMuch()) {
            return;
        }
        depth++;
        out.writeStartArray();
        for (var element : elements) {
            if (valuesLeft <= 0) {
                out.writeString(MORE + " " + elements.size() + " in all");
                break;
            }
            value(element);
        }
        out.writeEndArray();
        depth--;
    }

    private void reservation(String name, Object value) throws IOException {
        out.writeFieldName(name);
        if (SECRET.matcher(name).find()) {
            out.writeString(REDACTED);
        } else {
            value(value);
        }
    }

    private boolean tooMuch() throws IOException {
        boolean tooMuch = valuesLeft <= 0 || depth >= DEPTH_MAX;
        if (tooMuch) {
            out.writeString(MORE);
        }
        return tooMuch;
    }

    private static String cut(String text) {
        return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX - 1) + MORE;
    }
}
