package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.ScalingOverrides;
import java.util.Optional;

/** Reads the scaling config in a VM's annotation. Unknown keys are ignored, as other programs may read them. */
final class OverridesReader {
    private OverridesReader() {}

    /** @throws IllegalArgumentException if a known key has an invalid value */
    static ScalingOverrides read(String annotation) {
        if (annotation.isEmpty()) {
            return ScalingOverrides.NONE;
        }
        var json = KubernetesJson.parse("the annotation", annotation);
        if (!json.isObject()) {
            throw new IllegalArgumentException("the annotation must be a JSON object");
        }
        return new ScalingOverrides(
                number(json, "loadAverageFractionTarget", 2),
                number(json, "memoryUsageFractionTarget", 1),
                number(json, "memoryTotalFractionTarget", 1),
                flag(json, "enableLFCMetrics"),
                flag(json, "lfcUseLargestWindow"),
                number(json, "lfcToMemoryRatio", Double.MAX_VALUE),
                minutes(json, "lfcMinWaitBeforeDownscaleMinutes"),
                minutes(json, "lfcWindowSizeMinutes"),
                number(json, "cpuStableZoneRatio", Double.MAX_VALUE),
                number(json, "cpuMixedZoneRatio", Double.MAX_VALUE));
    }

    private static Optional<Double> number(JsonNode json, String key, double below) {
        var value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isNumber() || !(value.doubleValue() >= 0) || !(value.doubleValue() < below)) {
            throw new IllegalArgumentException(key + " must be a number from 0 and below " + below + ", not " + value);
        }
        return Optional.of(value.doubleValue());
    }

    private static Optional<Boolean> flag(JsonNode json, String key) {
        var value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw new IllegalArgumentException(key + " must be true or false, not " + value);
        }
        return Optional.of(value.booleanValue());
    }

    private static Optional<Integer> minutes(JsonNode json, String key) {
        var value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
            throw new IllegalArgumentException(key + " must be a whole number of minutes, not " + value);
        }
        return Optional.of(value.intValue());
    }
}
