package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Reads and writes the values of the recordings. Times are in nanoseconds from the start of a history. */
final class Json {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    static ObjectNode object() {
        return NODES.objectNode();
    }

    static Resources resources(JsonNode node) {
        return new Resources(whole(node, "mcpu"), whole(node, "bytes"));
    }

    static ObjectNode of(Resources resources) {
        return object().put("mcpu", resources.milliCpu()).put("bytes", resources.memoryBytes());
    }

    static Instant instant(JsonNode node, String key) {
        return Instant.EPOCH.plusNanos(whole(node, key));
    }

    static Duration duration(JsonNode node, String key) {
        return Duration.ofNanos(whole(node, key));
    }

    static Revision revision(JsonNode node) {
        return new Revision(whole(node, "value"), whole(node, "flags"));
    }

    static ActionRevision stampedRevision(JsonNode node) {
        return new ActionRevision(revision(node), instant(node, "at"));
    }

    static ObjectNode of(Revision revision) {
        return object().put("value", revision.value()).put("flags", revision.flags());
    }

    static long whole(JsonNode node, String key) {
        var value = node.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new UnreadableException("`" + key + "` should be a whole number: " + value);
        }
        return value.longValue();
    }

    static double number(JsonNode node, String key) {
        var value = node.path(key);
        if (!value.isNumber()) {
            throw new UnreadableException("`" + key + "` should be a number: " + value);
        }
        return value.doubleValue();
    }

    static boolean flag(JsonNode node, String key) {
        var value = node.path(key);
        if (!value.isBoolean()) {
            throw new UnreadableException("`" + key + "` should be true or false: " + value);
        }
        return value.booleanValue();
    }

    static String text(JsonNode node, String key) {
        var value = node.path(key);
        if (!value.isTextual()) {
            throw new UnreadableException("`" + key + "` should be a text: " + value);
        }
        return value.textValue();
    }

    /** An optional value; null equals absent. */
    static <T> Optional<T> optional(JsonNode node, String key, Function<JsonNode, T> reader) {
        return node.hasNonNull(key) ? Optional.of(reader.apply(node.get(key))) : Optional.empty();
    }

    private static <T> Optional<T> optional(BiFunction<JsonNode, String, T> reader, JsonNode node, String key) {
        return node.hasNonNull(key) ? Optional.of(reader.apply(node, key)) : Optional.empty();
    }

    static ObjectNode of(SystemMetrics metrics) {
        return object().put("load1", metrics.load1())
                .put("load5", metrics.load5())
                .put("usageBytes", metrics.usageBytes())
                .put("cachedBytes", metrics.cachedBytes());
    }

    static ArrayNode of(LfcMetrics metrics) {
        var node = NODES.arrayNode();
        metrics.windows().forEach(node::add);
        return node;
    }

    static SystemMetrics systemMetrics(JsonNode node) {
        return new SystemMetrics(
                number(node, "load1"), number(node, "load5"), number(node, "usageBytes"), number(node, "cachedBytes"));
    }

    static LfcMetrics windows(JsonNode node) {
        if (!node.isArray()) {
            throw new UnreadableException("a list of windows was expected: " + node);
        }
        return new LfcMetrics(IntStream.range(0, node.size())
                .mapToObj(i -> number(object().set("windows", node.get(i)), "windows"))
                .toList());
    }

    static VmInfo vm(JsonNode node) {
        return new VmInfo(
                resources(node.path("min")),
                resources(node.path("max")),
                resources(node.path("using")),
                whole(node, "slotBytes"),
                optional(node, "config", Json::overrides).orElse(ScalingOverrides.NONE),
                optional(node, "currentRevision", Json::stamped),
                Optional.empty());
    }

    private static ReachedRevision stamped(JsonNode node) {
        return new ReachedRevision(revision(node), instant(node, "at"));
    }

    /** A whole config, read as overrides of every key. */
    static ScalingConfig scaling(JsonNode node) {
        return ScalingConfig.DEFAULTS.overlaid(overrides(node));
    }

    private static ScalingOverrides overrides(JsonNode node) {
        return new ScalingOverrides(
                optional(Json::number, node, "loadAverageFractionTarget"),
                optional(Json::number, node, "memoryUsageFractionTarget"),
                optional(Json::number, node, "memoryTotalFractionTarget"),
                optional(Json::flag, node, "enableLFCMetrics"),
                optional(Json::flag, node, "lfcUseLargestWindow"),
                optional(Json::number, node, "lfcToMemoryRatio"),
                optional(Json::count, node, "lfcMinWaitBeforeDownscaleMinutes"),
                optional(Json::count, node, "lfcWindowSizeMinutes"),
                optional(Json::number, node, "cpuStableZoneRatio"),
                optional(Json::number, node, "cpuMixedZoneRatio"));
    }

    private static int count(JsonNode node, String key) {
        return Math.toIntExact(whole(node, key));
    }

    /** A line lacks a value, or has it in another shape. */
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }
}
