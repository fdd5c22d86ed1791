package io.sluice.gateway.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.shell.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Reads the fields of one request and stores the first error. A field that is null counts as absent, and a name matches
 * in any case.
 */
final class JsonFields {
    private static final int EXPONENT_MAX = 30;
    private static final String BEYOND = " is too large";
    private static final String NEGATIVE = " must not be negative";
    private static final String FRACTIONS = "mun";

    private Optional<String> malformed = Optional.empty();
    private Optional<String> refused = Optional.empty();

    /** Returns the error of the first field of a wrong type; it takes precedence over every refusal. */
    Optional<String> malformed() {
        return malformed;
    }

    /** Returns the error of the first field whose value is refused. */
    Optional<String> refused() {
        return refused;
    }

    /** Records a field of a wrong type. */
    void malformed(String sentence) {
        malformed = malformed.or(() -> Optional.of(sentence));
    }

    /** Records a refused value. */
    void refused(String sentence) {
        refused = refused.or(() -> Optional.of(sentence));
    }

    /** Returns the last field of that name, in any case; a missing node if there is none or it is null. */
    JsonNode field(JsonNode object, String name) {
        JsonNode found = MissingNode.getInstance();
        for (var entry : object.properties()) {
            if (entry.getKey().equalsIgnoreCase(name) && !entry.getValue().isNull()) {
                found = entry.getValue();
            }
        }
        return found;
    }

    /** Returns an object within the object; a missing node if there is none. */
    JsonNode object(JsonNode parent, String name) {
        var node = field(parent, name);
        if (!node.isMissingNode() && !node.isObject()) {
            malformed(name + " must be an object");
        }
        return node;
    }

    String text(JsonNode object, String name, String path) {
        var node = field(object, name);
        if (!node.isMissingNode() && !node.isTextual()) {
            malformed(path + " must be a string");
        }
        return node.asText();
    }

    /** Returns a whole number that is at least {@code least}. */
    Optional<Long> whole(JsonNode object, String name, long least) {
        var node = field(object, name);
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong() || node.asLong() < least) {
            refused(name + " must be a whole number of at least " + least);
            return Optional.of(least);
        }
        return Optional.of(node.asLong());
    }

    WireAmount amount(JsonNode node, String path, boolean bareMemoryCountsSlots) {
        var memory = field(node, "mem");
        return new WireAmount(
                milliCpu(field(node, "vCPUs"), path + ".vCPUs"),
                memory(memory, path + ".mem"),
                bareMemoryCountsSlots && memory.isNumber());
    }

    /** CPU is a number of virtual CPUs or a quantity; finer than a thousandth is rounded up. */
    private long milliCpu(JsonNode node, String path) {
        if (node.isMissingNode()) {
            return 0;
        }
        if (node.isNumber()) {
            return milliCpu(node.decimalValue(), path);
        }
        if (node.asText().endsWith("i")) {
            refused(path + " counts CPUs, not bytes");
            return 0;
        }
        return quantity(node, path, "a number or a quantity such as 250m", Quantities::milliCpu);
    }

    private long milliCpu(BigDecimal cpus, String path) {
        if (cpus.signum() < 0) {
            refused(path + NEGATIVE);
            return 0;
        }
        if (Math.abs((long) cpus.precision() - cpus.scale()) > EXPONENT_MAX) {
            refused(path + BEYOND);
            return 0;
        }
        var milli = cpus.movePointRight(3).setScale(0, RoundingMode.CEILING).toBigInteger();
        if (milli.bitLength() >= Long.SIZE) {
            refused(path + BEYOND);
            return 0;
        }
        return milli.longValue();
    }

    /** Memory is a whole number or a quantity, but no fraction of a byte. */
    private long memory(JsonNode node, String path) {
        if (node.isMissingNode()) {
            return 0;
        }
        if (node.isNumber()) {
            return bareMemory(node, path);
        }
        if (node.isTextual() && endsInFraction(node.asText())) {
            refused(path + " counts bytes, not fractions of them");
            return 0;
        }
        return quantity(node, path, "a whole number or a quantity such as 4Gi", Quantities::bytes);
    }

    private static boolean endsInFraction(String text) {
        return !text.isEmpty() && FRACTIONS.indexOf(text.charAt(text.length() - 1)) >= 0;
    }

    private long bareMemory(JsonNode node, String path) {
        if (!node.isIntegralNumber()) {
            malformed(path + " must be a whole number or a quantity such as 4Gi");
            return 0;
        }
        if (node.bigIntegerValue().signum() < 0) {
            refused(path + NEGATIVE);
            return 0;
        }
        if (!node.canConvertToLong()) {
            refused(path + BEYOND);
            return 0;
        }
        return node.asLong();
    }

    private long quantity(JsonNode node, String path, String expected, ToLongFunction<String> parse) {
        if (!node.isTextual()) {
            malformed(path + " must be " + expected);
            return 0;
        }
        if (node.asText().startsWith("-")) {
            refused(path + NEGATIVE);
            return 0;
        }
        try {
            return parse.applyAsLong(node.asText());
        } catch (IllegalArgumentException noQuantity) {
            malformed(path + " must be " + expected + ", and not beyond 64 bits");
            return 0;
        }
    }
}
