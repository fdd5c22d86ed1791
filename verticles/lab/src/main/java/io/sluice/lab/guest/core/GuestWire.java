package io.sluice.lab.guest.core;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The texts of the monitor protocol on the guest's side, as strict as the stock monitor: whole numbers without point or
 * exponent, no key twice, one object in a text, a content that is an object. Unknown keys are ignored.
 */
final class GuestWire {
    private static final int VERSION = 1;
    private static final int VERSION_BITS = 8;
    private static final int WORD_BITS = 64;
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The result of a range of versions. */
    enum RangeRuling {
        /** Version 1 is in the range. */
        AGREED,
        /** It is a range without version 1. */
        REFUSED,
        /** It is not a range. */
        BROKEN
    }

    private GuestWire() {}

    static RangeRuling range(String text) {
        var node = read(text);
        var min = unsigned(node.path("min"), VERSION_BITS);
        var max = unsigned(node.path("max"), VERSION_BITS);
        if (min.isEmpty() || max.isEmpty()) {
            return RangeRuling.BROKEN;
        }
        int least = min.get().intValue();
        int most = max.get().intValue();
        if (least > most && least <= VERSION) {
            return RangeRuling.BROKEN;
        }
        return least <= VERSION && most >= VERSION ? RangeRuling.AGREED : RangeRuling.REFUSED;
    }

    static String version() {
        return "{\"version\":" + VERSION + "}";
    }

    static String refusal() {
        return JSON.createObjectNode()
                .put("error", "no common protocol version; this monitor speaks v1.0")
                .toString();
    }

    static AgentMessageText message(String text) {
        var node = read(text);
        var id = unsigned(node.path("id"), WORD_BITS);
        var content = node.path("content");
        if (!node.path("type").isTextual() || id.isEmpty() || !content.isObject()) {
            return new AgentMessageText.Broken("a message has a type, an id from 0 to 2^64 - 1 and a content object");
        }
        return switch (node.get("type").textValue()) {
            case "UpscaleNotification" ->
                memory(content.path("granted"))
                        .<AgentMessageText>map(bytes -> new AgentMessageText.Granted(id.get(), bytes))
                        .orElseGet(() -> new AgentMessageText.Broken("granted must be {cpu, mem}"));
            case "DownscaleRequest" ->
                memory(content.path("target"))
                        .<AgentMessageText>map(bytes -> new AgentMessageText.MayShrink(id.get(), bytes))
                        .orElseGet(() -> new AgentMessageText.Broken("target must be {cpu, mem}"));
            case "HealthCheck" -> new AgentMessageText.HealthCheck(id.get());
            case "InvalidMessage", "InternalError" ->
                content.path("error").isTextual()
                        ? new AgentMessageText.Complaint(content.get("error").textValue())
                        : new AgentMessageText.Broken("error must be a text");
            default -> new AgentMessageText.Broken("no such type");
        };
    }

    static String upscaleRequest(long id) {
        return typed("UpscaleRequest").put("id", id).toString();
    }

    static String confirmation(BigInteger id) {
        return typed("UpscaleConfirmation").put("id", id).toString();
    }

    static String healthy(BigInteger id) {
        return typed("HealthCheck").put("id", id).toString();
    }

    static String ruling(Shrink shrink, BigInteger id) {
        return switch (shrink) {
            case Shrink.Allowed(var status) -> result(true, status, id);
            case Shrink.Denied(var status) -> result(false, status, id);
            case Shrink.Failed(var error) ->
                typed("InternalError").put("error", error).put("id", id).toString();
        };
    }

    private static String result(boolean ok, String status, BigInteger id) {
        return typed("DownscaleResult")
                .put("Ok", ok)
                .put("Status", status)
                .put("id", id)
                .toString();
    }

    private static ObjectNode typed(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    /** CPU must be present and is not used; memory beyond 63 bits counts as 63. */
    private static Optional<Long> memory(JsonNode size) {
        return size.path("cpu").isNumber()
                ? unsigned(size.path("mem"), WORD_BITS)
                        .map(bytes -> bytes.min(LONGEST).longValueExact())
                : Optional.empty();
    }

    private static Optional<BigInteger> unsigned(JsonNode node, int bits) {
        return Optional.of(node)
                .filter(JsonNode::isIntegralNumber)
                .map(JsonNode::bigIntegerValue)
                .filter(value -> value.signum() >= 0 && value.bitLength() <= bits);
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            return JSON.missingNode();
        }
    }
}
