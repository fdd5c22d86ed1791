package io.sluice.vectors.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.units.Resources;
import java.math.BigDecimal;
import java.util.Optional;

/** The text of a frame, read leniently: recorded agents send odd messages on purpose. */
record Message(String text, JsonNode json) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Resources USUAL = new Resources(1000, 8L << 30);

    static Message of(String text) {
        try {
            var json = JSON.readTree(text);
            return new Message(text, json == null ? JSON.missingNode() : json);
        } catch (JsonProcessingException notJson) {
            return new Message(text, JSON.missingNode());
        }
    }

    String type() {
        return json.path("type").asText();
    }

    String id() {
        return json.path("id").asText();
    }

    boolean isHealthCheck() {
        return type().equals("HealthCheck");
    }

    boolean isUpscale() {
        return type().equals("UpscaleNotification");
    }

    boolean isResize() {
        return isUpscale() || type().equals("DownscaleRequest");
    }

    boolean isUpscaleRequest() {
        return type().equals("UpscaleRequest");
    }

    /** Whether it is a monitor's reply to a resize. */
    boolean isAnswerToResize() {
        return type().equals("UpscaleConfirmation")
                || type().equals("DownscaleResult")
                || type().equals("InternalError");
    }

    /** Whether it is a well-formed resize to a size that a VM can have. Recorded agents also send malformed ones. */
    boolean isSize() {
        var size = json.path("content").path(isUpscale() ? "granted" : "target");
        return json.path("content").size() == 1
                && size.path("cpu").isNumber()
                && size.path("cpu").decimalValue().signum() >= 0
                && size.path("mem").isIntegralNumber()
                && size.path("mem").canConvertToLong()
                && size.path("mem").longValue() >= 0;
    }

    /** The size that it names, or the nearest one that a VM can have. */
    Resources amounts() {
        var size = size();
        return new Resources(
                size.map(node -> number(node.path("cpu"), USUAL.milliCpu(), MILLI))
                        .orElse(USUAL.milliCpu()),
                size.map(node -> number(node.path("mem"), USUAL.memoryBytes(), BigDecimal.ONE))
                        .orElse(USUAL.memoryBytes()));
    }

    private Optional<JsonNode> size() {
        return Optional.ofNullable(json.findValue("granted"))
                .or(() -> Optional.ofNullable(json.findValue("target")))
                .filter(JsonNode::isObject);
    }

    private static long number(JsonNode node, long instead, BigDecimal factor) {
        return node.isNumber()
                ? node.decimalValue()
                        .multiply(factor)
                        .max(BigDecimal.ZERO)
                        .min(LONGEST)
                        .longValue()
                : instead;
    }

    /** Whether both resize in the same direction to the same amounts. */
    boolean requestsTheSame(Message other) {
        return type().equals(other.type()) && amounts().equals(other.amounts());
    }
}
