package io.sluice.billing.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.messages.agent.ScalingNoted;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;

/** A scaling event as one line of JSON. */
public final class ScalingEventJson {
    private ScalingEventJson() {}

    /**
     * The line, without its end. Only what a load asks for has the parts that it was made from, and of them only those
     * that were computed.
     *
     * @param region where all this happens
     */
    public static byte[] write(ScalingNoted noted, String region) {
        return EventJson.line(json -> {
            json.writeStringField("timestamp", WireTime.text(noted.at()));
            json.writeStringField("region", region);
            json.writeStringField("endpoint_id", noted.endpointId());
            json.writeStringField("kind", kind(noted.kind()));
            json.writeNumberField("current_cu", noted.currentMilliCu());
            json.writeNumberField("target_cu", noted.targetMilliCu());
            if (noted.kind() == ScalingNoted.Kind.HYPOTHETICAL) {
                json.writeObjectFieldStart("goalComponents");
                part(json, "cpu", noted.cpuCu());
                part(json, "mem", noted.memoryCu());
                part(json, "lfc", noted.lfcCu());
                json.writeEndObject();
            }
        });
    }

    private static String kind(ScalingNoted.Kind kind) {
        return switch (kind) {
            case ACTUAL -> "actual";
            case HYPOTHETICAL -> "hypothetical";
        };
    }

    /** As short as it is exact; JSON has no word for what is no number. */
    private static void part(JsonGenerator json, String name, Optional<Double> part) throws IOException {
        if (part.filter(Double::isFinite).isPresent()) {
            json.writeFieldName(name);
            json.writeNumber(BigDecimal.valueOf(part.get()).stripTrailingZeros().toPlainString());
        }
    }
}
