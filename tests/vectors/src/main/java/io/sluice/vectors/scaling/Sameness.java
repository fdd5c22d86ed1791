package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * Whether a recorded value equals ours. Every key that a recording may use inside a result counts on either side; other
 * keys are ignored. Null and an empty list equal an absent key.
 */
final class Sameness {
    private static final Set<String> NAMES = Set.of(
            "pluginRequest",
            "neonVmRequest",
            "monitorUpscale",
            "monitorDownscale",
            "waitNs",
            "lastPermit",
            "target",
            "metrics",
            "loadAvg1M",
            "targetRevision",
            "current",
            "value",
            "flags",
            "mcpu",
            "bytes",
            "using",
            "permit",
            "approved",
            "stage",
            "durationNs",
            "cpu",
            "mem",
            "lfc",
            "load1",
            "load5",
            "usageBytes",
            "cachedBytes");

    private Sameness() {}

    static boolean of(JsonNode recorded, JsonNode ours) {
        if (isAbsent(recorded) || isAbsent(ours)) {
            return isAbsent(recorded) && isAbsent(ours);
        }
        if (recorded.isNumber() && ours.isNumber()) {
            return ofNumbers(recorded, ours);
        }
        if (recorded.isArray() && ours.isArray()) {
            return recorded.size() == ours.size()
                    && IntStream.range(0, ours.size()).allMatch(i -> of(recorded.get(i), ours.get(i)));
        }
        if (recorded.isObject() && ours.isObject()) {
            return NAMES.stream().allMatch(name -> of(recorded.path(name), ours.path(name))) && allKnown(ours);
        }
        return recorded.equals(ours);
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull() || (node.isArray() && node.isEmpty());
    }

    /** Whether all keys of ours are among those that are compared. */
    private static boolean allKnown(JsonNode ours) {
        Iterable<String> names = ours::fieldNames;
        return StreamSupport.stream(names.spliterator(), false).allMatch(NAMES::contains);
    }

    /** Compares numbers of different types; a float and a double at the float's precision. */
    private static boolean ofNumbers(JsonNode recorded, JsonNode ours) {
        if (ours.isFloat()) {
            return recorded.floatValue() == ours.floatValue();
        }
        return recorded.canConvertToLong()
                        && recorded.isIntegralNumber()
                        && ours.isIntegralNumber()
                        && ours.canConvertToLong()
                ? recorded.longValue() == ours.longValue()
                : recorded.doubleValue() == ours.doubleValue();
    }
}
