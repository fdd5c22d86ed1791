package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.Stamped;
import io.sluice.agent.core.scaling.StampedRevision;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/** The values of the recordings: read, written, compared. Times count in nanoseconds from the start of a history. */
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

    static StampedRevision stampedRevision(JsonNode node) {
        return new StampedRevision(revision(node), instant(node, "at"));
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

    static <T> Optional<T> optional(JsonNode node, String key, Function<JsonNode, T> reader) {
        return node.has(key) ? Optional.of(reader.apply(node.get(key))) : Optional.empty();
    }

    static SystemMetrics systemMetrics(JsonNode node) {
        return new SystemMetrics(
                number(node, "load1"), number(node, "load5"), number(node, "usageBytes"), number(node, "cachedBytes"));
    }

    static LfcMetrics windows(JsonNode node) {
        return new LfcMetrics(StreamSupport.stream(node.spliterator(), false)
                .map(JsonNode::doubleValue)
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

    private static Stamped stamped(JsonNode node) {
        return new Stamped(revision(node), instant(node, "at"));
    }

    /** A whole config is one in which everything is overridden. */
    static ScalingConfig scaling(JsonNode node) {
        return ScalingConfig.DEFAULTS.overlaid(overrides(node));
    }

    private static ScalingOverrides overrides(JsonNode node) {
        return new ScalingOverrides(
                optional(node, "loadAverageFractionTarget", JsonNode::doubleValue),
                optional(node, "memoryUsageFractionTarget", JsonNode::doubleValue),
                optional(node, "memoryTotalFractionTarget", JsonNode::doubleValue),
                optional(node, "enableLFCMetrics", JsonNode::booleanValue),
                optional(node, "lfcUseLargestWindow", JsonNode::booleanValue),
                optional(node, "lfcToMemoryRatio", JsonNode::doubleValue),
                optional(node, "lfcMinWaitBeforeDownscaleMinutes", JsonNode::intValue),
                optional(node, "lfcWindowSizeMinutes", JsonNode::intValue),
                optional(node, "cpuStableZoneRatio", JsonNode::doubleValue),
                optional(node, "cpuMixedZoneRatio", JsonNode::doubleValue));
    }

    /** Whether both are the same value, however each number is held; floats are compared at the coarser of both. */
    static boolean same(JsonNode one, JsonNode other) {
        return one.equals(Json::order, other);
    }

    private static int order(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            if (one.isFloat() || other.isFloat()) {
                return Float.compare(one.floatValue(), other.floatValue());
            }
            return one.isIntegralNumber() && other.isIntegralNumber()
                    ? Long.compare(one.longValue(), other.longValue())
                    : Double.compare(one.doubleValue(), other.doubleValue());
        }
        return one.equals(other) ? 0 : 1;
    }

    /** A line lacks something, or has it in another shape. */
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }
}
