package io.sluice.launcher.traces;

import io.sluice.shell.config.ConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** OpenTelemetry's environment variables: whether traces are recorded, and the defaults of what is not set. */
final class TraceVariables {
    private static final String DISABLED = "OTEL_SDK_DISABLED";
    private static final String EXPORTER = "OTEL_TRACES_EXPORTER";
    private static final List<String> ENDPOINTS =
            List.of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT");
    private static final List<String> PROTOCOLS =
            List.of("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL");
    private static final String RESOURCE = "OTEL_RESOURCE_ATTRIBUTES";
    private static final String SERVICE_NAME = "service.name";
    private static final String SAMPLER = "OTEL_TRACES_SAMPLER";
    private static final String SAMPLER_ARG = "OTEL_TRACES_SAMPLER_ARG";
    private static final String BY_RATIO = "parentbased_traceidratio";
    private static final String PROTOCOL = "http/protobuf";
    private static final Set<String> EXPORTERS = Set.of("otlp", "none");

    /** Defaults of this program where they differ from those of the library. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none",
            "otel.traces.exporter", "otlp",
            "otel.exporter.otlp.protocol", PROTOCOL);

    private final Map<String, String> variables;

    /** An empty variable counts as not set. */
    TraceVariables(Map<String, String> environment) {
        variables = new HashMap<>(environment);
        variables.values().removeIf(String::isBlank);
    }

    /**
     * Whether an exporter or an endpoint is named, and nothing switches that off.
     *
     * @throws ConfigException for a value that this program cannot serve
     */
    boolean on() {
        if (Boolean.parseBoolean(variables.get(DISABLED)) || "none".equals(variables.get(EXPORTER))) {
            return false;
        }
        if (!variables.containsKey(EXPORTER) && ENDPOINTS.stream().noneMatch(variables::containsKey)) {
            return false;
        }
        var errors = new ArrayList<String>();
        refused(EXPORTER, EXPORTERS).ifPresent(errors::add);
        if (Double.isNaN(share())) {
            errors.add(SAMPLER_ARG + ": " + variables.get(SAMPLER_ARG) + " is no number from 0 to 1.");
        }
        PROTOCOLS.forEach(key -> refused(key, Set.of(PROTOCOL)).ifPresent(errors::add));
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
        return true;
    }

    private Optional<String> refused(String key, Set<String> served) {
        return Optional.ofNullable(variables.get(key))
                .filter(value -> !served.contains(value))
                .map(value -> key + ": " + value + " is not served; it must be "
                        + String.join(" or ", served.stream().sorted().toList()) + ".");
    }

    /**
     * The share of traces that begin here and are recorded. The library would make each of the others first, with its
     * id, which costs more than all else that a permit has to do for traces.
     */
    double share() {
        var share = variables.get(SAMPLER_ARG);
        if (!BY_RATIO.equals(variables.get(SAMPLER)) || share == null) {
            return 1.0;
        }
        try {
            double number = Double.parseDouble(share);
            return number >= 0 && number <= 1 ? number : Double.NaN;
        } catch (NumberFormatException noNumber) {
            return Double.NaN;
        }
    }

    /** All variables of OpenTelemetry, by the names that its library gives them, with the defaults of this program. */
    Map<String, String> properties() {
        var properties = new HashMap<>(DEFAULTS);
        if (!variables.getOrDefault(RESOURCE, "").contains(SERVICE_NAME + "=")) {
            properties.put("otel.service.name", "sluice");
        }
        variables.forEach((key, value) -> {
            if (key.startsWith("OTEL_")) {
                properties.put(key.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        if (BY_RATIO.equals(variables.get(SAMPLER))) {
            properties.put("otel.traces.sampler", "parentbased_always_on");
        }
        properties.putAll(Map.of("otel.metrics.exporter", "none", "otel.logs.exporter", "none"));
        return properties;
    }
}
