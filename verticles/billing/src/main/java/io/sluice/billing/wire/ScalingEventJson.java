package io.sluice.billing.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.messages.agent.ScalingRecorded;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;

/** Writes a scaling event as one line of JSON. */
public final class ScalingEventJson {
    private ScalingEventJson() {}

    /**
     * Returns the line without a line break. Only {@code hypothetical} events, which come from load, have goal
     * components, and of these only the computed ones.
     *
     * @param region the region in the event
     */
    public static byte[] write(ScalingRecorded recorded, String region) {
        return EventJson.line(json -> {
            json.writeStringField("timestamp", WireTime.text(recorded.at()));
            json.writeStringField("region", region);
            json.writeStringField("endpoint_id", recorded.endpointId());
            json.writeStringField("kind", kind(recorded.kind()));
            json.writeNumberField("current_cu", recorded.currentMilliCu());
            json.writeNumberField("target_cu", recorded.targetMilliCu());
            if (recorded.kind() == ScalingRecorded.Kind.HYPOTHETICAL) {
                json.writeObjectFieldStart("goalComponents");
                part(json, "cpu", recorded.cpuCu());
                part(json, "mem", recorded.memoryCu());
                part(json, "lfc", recorded.lfcCu());
                json.writeEndObject();
            }
        });
    }

    private static String kind(ScalingRecorded.Kind kind) {
        return switch (kind) {
            case ACTUAL -> "actual";
            case HYPOTHETICAL -> "hypothetical";
        };
    }

    /**
     * Writes the number in its shortest exact form. JSON has no form for numbers that are not finite, so these are left
     * out.
     */
    private static void part(JsonGenerator json, String name, Optional<Double> part) throws IOException {
        if (part.filter(Double::isFinite).isPresent()) {
            json.writeFieldName(name);
            json.writeNumber(BigDecimal.valueOf(part.get()).stripTrailingZeros().toPlainString());
        }
    }
}
