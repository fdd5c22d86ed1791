package io.sluice.shell.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.Portion;
import io.sluice.shell.Quantities;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Reads single values, and reports for a wrong one its path, what was found and what is allowed. */
final class ConfigTexts {
    private static final String DURATION = "a duration with its unit, such as 250ms, 5s, 10m or 1h";
    private static final String SIZE = "a size with its unit, such as 64KiB, 1MiB or 2GiB";
    private static final int SHOWN_MAX = 60;

    private final Map<String, String> origins;
    private final List<String> errors;

    ConfigTexts(Map<String, String> origins, List<String> errors) {
        this.origins = origins;
        this.errors = errors;
    }

    /** The value as an object of the type, or {@code fallback} if it is wrong. */
    Object read(Class<?> type, Object fallback, JsonNode node, String path) {
        var value = valueOf(type, node, path);
        if (value != null) {
            return value;
        }
        refuse(path, node, allowed(type));
        return fallback;
    }

    /** A number of bytes as an object of the type, {@code int} or {@code long}. */
    Number size(Class<?> type, Number fallback, JsonNode node, String path) {
        var bytes = node.isTextual() ? ByteSizes.parse(node.textValue()) : OptionalLong.empty();
        if (bytes.isPresent() && type == long.class) {
            return bytes.getAsLong();
        }
        if (bytes.isPresent() && bytes.getAsLong() <= Integer.MAX_VALUE) {
            return (int) bytes.getAsLong();
        }
        refuse(path, node, SIZE);
        return fallback;
    }

    long milliCpu(long fallback, JsonNode node, String path) {
        return quantity(Quantities::milliCpu, fallback, node, path, "an amount of CPU, such as 250m or 2");
    }

    long bytes(long fallback, JsonNode node, String path) {
        return quantity(Quantities::bytes, fallback, node, path, "an amount of memory, such as 512Mi or 4Gi");
    }

    Portion cpuPortion(Portion fallback, JsonNode node, String path) {
        var allowed = "an amount of CPU, such as 250m or 2, or a share, such as 20%";
        return quantity(text -> portion(Quantities::milliCpu, text), fallback, node, path, allowed);
    }

    Portion memoryPortion(Portion fallback, JsonNode node, String path) {
        var allowed = "an amount of memory, such as 512Mi or 4Gi, or a share, such as 10%";
        return quantity(text -> portion(Quantities::bytes, text), fallback, node, path, allowed);
    }

    private static Portion portion(ToLongFunction<String> amount, String text) {
        return text.endsWith("%") ? Portion.Share.parse(text) : new Portion.Amount(amount.applyAsLong(text));
    }

    void refuse(String path, JsonNode node, String allowed) {
        var origin = origins.containsKey(path) ? " (from " + origins.get(path) + ")" : "";
        errors.add(
                (path.isEmpty() ? "the config" : path) + " must be " + allowed + ", not " + shown(node) + origin + ".");
    }

    /** Whether a key has no value, which the parser may take for an empty text. */
    static boolean isNothing(JsonNode node) {
        return node.isNull() || (node.isTextual() && node.textValue().isEmpty());
    }

    /** Null when the node has no such value: the caller reports that as an error at once. */
    private static Object valueOf(Class<?> type, JsonNode node, String path) {
        if (type == String.class) {
            return node.isTextual() ? node.textValue() : null;
        }
        if (type == boolean.class) {
            return truth(node);
        }
        if (type == int.class) {
            var number = whole(node);
            return number == null || number != number.intValue() ? null : number.intValue();
        }
        if (type == long.class) {
            return whole(node);
        }
        if (type == double.class) {
            return fraction(node);
        }
        if (type == Duration.class) {
            return node.isTextual() ? Durations.parse(node.textValue()).orElse(null) : null;
        }
        if (type.isEnum()) {
            return constant(type, node);
        }
        throw new IllegalStateException("config cannot bind " + type + " at " + path);
    }

    private static Boolean truth(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return switch (node.asText()) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> null;
        };
    }

    private static Long whole(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.canConvertToLong() ? node.longValue() : null;
        }
        try {
            return node.isTextual() ? Long.valueOf(node.textValue()) : null;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    private static Double fraction(JsonNode node) {
        try {
            var number = node.isNumber() ? node.doubleValue() : Double.parseDouble(node.asText());
            return Double.isFinite(number) ? number : null;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    private static Object constant(Class<?> type, JsonNode node) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> node.isTextual() && constant.toString().equalsIgnoreCase(node.textValue()))
                .findFirst()
                .orElse(null);
    }

    private <T> T quantity(Function<String, T> reader, T fallback, JsonNode node, String path, String allowed) {
        try {
            if (node.isValueNode() && !node.isBoolean() && !node.isNull()) {
                return reader.apply(node.asText());
            }
        } catch (IllegalArgumentException notAnAmount) {
            refuse(path, node, allowed + " (" + notAnAmount.getMessage() + ")");
            return fallback;
        }
        refuse(path, node, allowed);
        return fallback;
    }

    private static String allowed(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return switch (type.getSimpleName()) {
            case "String" -> "text, in quotes if it looks like a number or like true";
            case "boolean" -> "true or false";
            case "int" -> "a whole number of at most 32 bits";
            case "long" -> "a whole number";
            case "double" -> "a number";
            default -> DURATION;
        };
    }

    private static String shown(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "a section";
            case ARRAY -> "a list";
            case NULL -> "nothing";
            case NUMBER -> "the number " + shortened(node.asText());
            case BOOLEAN -> node.asText();
            default -> node.asText().isEmpty() ? "nothing" : "\"" + shortened(node.asText()) + "\"";
        };
    }

    static String shortened(String text) {
        var plain = text.replaceAll("\\p{Cntrl}", " ");
        return plain.length() <= SHOWN_MAX ? plain : plain.substring(0, SHOWN_MAX) + "...";
    }
}
