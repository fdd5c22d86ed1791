package io.sluice.shell.pods;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;

/** Reads amounts and annotations of pods. Each error names the field. */
final class PodJson {
    static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    private PodJson() {}

    static JsonNode object(String text) {
        try {
            var read = MAPPER.readTree(text);
            if (!read.isObject()) {
                throw new IllegalArgumentException("the annotation must be a JSON object");
            }
            return read;
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("the annotation is no JSON: " + noJson.getOriginalMessage(), noJson);
        }
    }

    /** A list of quantities, as in requests and limits; zero for what it does not name. */
    static Resources quantities(JsonNode list) {
        return new Resources(
                list.hasNonNull(CPU) ? Quantities.milliCpu(scalar(list, CPU)) : 0,
                list.hasNonNull(MEMORY) ? Quantities.bytes(scalar(list, MEMORY)) : 0);
    }

    /** An amount in an annotation, as those of VMs: {@code cpu} and {@code mem}. */
    static Resources amount(JsonNode json, String which) {
        var amount = json.path(which);
        try {
            return new Resources(Quantities.milliCpu(scalar(amount, CPU)), Quantities.bytes(scalar(amount, "mem")));
        } catch (IllegalArgumentException noGood) {
            throw new IllegalArgumentException(which + "." + noGood.getMessage(), noGood);
        }
    }

    static String metadata(JsonNode pod, String map, String key) {
        return pod.path("metadata").path(map).path(key).asText("");
    }

    private static String scalar(JsonNode object, String field) {
        var value = object.path(field);
        if (!value.isValueNode() || value.isNull()) {
            throw new IllegalArgumentException(
                    field + " must be a quantity, not " + (value.isMissingNode() ? "nothing" : value.toString()));
        }
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asText();
    }
}
