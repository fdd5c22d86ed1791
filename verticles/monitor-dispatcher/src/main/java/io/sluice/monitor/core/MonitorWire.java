package io.sluice.monitor.core;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.units.Resources;

/**
 * The texts of the monitor protocol. The two directions differ: messages to a monitor have their payload in
 * {@code content}, messages from a monitor have it beside {@code type} and {@code id}.
 *
 * <p>Reading is strict about fields that have an effect, and ignores unknown fields. Texts of a monitor are cut to a
 * bounded length before they are passed on, as a guest may send anything.
 */
final class MonitorWire {
    /** The only version. A range must not have a minimum above it: that stops a stock monitor. */
    static final int VERSION = 1;

    private static final int TEXT_MAX = 512;
    private static final double MILLI = 1000.0;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private MonitorWire() {}

    /** The first message to a monitor: the range of versions, both ends included. */
    static String range() {
        return "{\"min\":" + VERSION + ",\"max\":" + VERSION + "}";
    }

    /** Reads the monitor's first message. */
    static VersionAnswer version(String text) {
        var node = read(text);
        if (!node.isObject()) {
            return new VersionAnswer.Refused("the version answer is no JSON object");
        }
        if (node.hasNonNull("error")) {
            return new VersionAnswer.Refused("refused: " + cut(node.get("error").asText()));
        }
        var version = node.path("version");
        if (!version.isIntegralNumber() || !version.canConvertToInt() || version.intValue() != VERSION) {
            return new VersionAnswer.Refused("version must be " + VERSION + ", not " + cut(version.toString()));
        }
        return new VersionAnswer.Agreed();
    }

    /**
     * Writes a message to a monitor. CPU is in whole or fractional vCPU, memory a plain integer of bytes, content never
     * null.
     */
    static String text(AgentMessage message) {
        var root = JSON.createObjectNode();
        var content = root.putObject("content");
        root.put("type", fill(message, content));
        root.put("id", message.id());
        return root.toString();
    }

    private static String fill(AgentMessage message, ObjectNode content) {
        return switch (message) {
            case AgentMessage.UpscaleNotification(var id, var granted) -> {
                size(content.putObject("granted"), granted);
                yield "UpscaleNotification";
            }
            case AgentMessage.DownscaleRequest(var id, var target) -> {
                size(content.putObject("target"), target);
                yield "DownscaleRequest";
            }
            case AgentMessage.HealthCheck _ -> "HealthCheck";
            case AgentMessage.InvalidMessage(var id, var error) -> {
                content.put("error", error);
                yield "InvalidMessage";
            }
        };
    }

    private static void size(ObjectNode node, Resources amount) {
        node.put("cpu", amount.milliCpu() / MILLI);
        node.put("mem", amount.memoryBytes());
    }

    /** Reads a message of a monitor. */
    static MonitorMessage message(String text) {
        var node = read(text);
        if (!node.isObject()) {
            return new MonitorMessage.Unreadable("not a JSON object");
        }
        var type = node.path("type");
        if (!type.isTextual()) {
            return new MonitorMessage.Unreadable("type must be a text");
        }
        var id = node.path("id");
        if (!isId(id)) {
            return new MonitorMessage.Unreadable("id must be a whole number from 0 to 2^63 - 1");
        }
        return message(type.textValue(), id.longValue(), node);
    }

    private static MonitorMessage message(String type, long id, JsonNode node) {
        return switch (type) {
            case "UpscaleRequest" -> new MonitorMessage.UpscaleRequest(id);
            case "UpscaleConfirmation" -> new MonitorMessage.UpscaleConfirmation(id);
            case "DownscaleResult" -> downscaleResult(id, node.path("Ok"), node.path("Status"));
            case "HealthCheck" -> new MonitorMessage.HealthCheck(id);
            case "InvalidMessage" ->
                node.path("error").isTextual()
                        ? new MonitorMessage.InvalidMessage(
                                id, cut(node.get("error").textValue()))
                        : new MonitorMessage.Malformed(id, "InvalidMessage: error must be a text");
            case "InternalError" ->
                node.path("error").isTextual()
                        ? new MonitorMessage.InternalError(
                                id, cut(node.get("error").textValue()))
                        : new MonitorMessage.Malformed(id, "InternalError: error must be a text");
            default -> new MonitorMessage.UnknownType(id, cut(type));
        };
    }

    private static MonitorMessage downscaleResult(long id, JsonNode ok, JsonNode status) {
        if (!ok.isBoolean()) {
            return new MonitorMessage.Malformed(id, "DownscaleResult: Ok must be true or false");
        }
        if (!status.isTextual()) {
            return new MonitorMessage.Malformed(id, "DownscaleResult: Status must be a text");
        }
        return new MonitorMessage.DownscaleResult(id, ok.booleanValue(), cut(status.textValue()));
    }

    /** A number with a decimal point is an id too if it is whole, as other readers of this protocol accept it. */
    private static boolean isId(JsonNode id) {
        return id.isNumber() && id.canConvertToExactIntegral() && id.canConvertToLong() && id.longValue() >= 0;
    }

    /** The JSON of a text, or a missing node if it is not JSON. */
    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            return JSON.missingNode();
        }
    }

    private static String cut(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
    }
}
