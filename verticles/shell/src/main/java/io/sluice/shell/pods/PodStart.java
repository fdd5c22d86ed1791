package io.sluice.shell.pods;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * The least that a pod is given at its start, as its driver writes it to an annotation: what its predecessor needed.
 *
 * @param least the size of the whole pod; its bounds hold all the same
 * @param until until when; the driver removes the annotation then
 */
public record PodStart(Resources least, Instant until) {
    public PodStart {
        Objects.requireNonNull(least, "least");
        Objects.requireNonNull(until, "until");
    }

    /** The content of the annotation; empty if there is none, or none that the driver wrote. */
    public static Optional<PodStart> of(String annotation) {
        if (annotation.isEmpty()) {
            return Optional.empty();
        }
        try {
            var json = PodJson.object(annotation);
            return Optional.of(new PodStart(
                    PodJson.amount(json, "least"),
                    Instant.parse(json.path("until").asText())));
        } catch (IllegalArgumentException | DateTimeParseException notOurs) {
            return Optional.empty();
        }
    }

    /** The annotation. */
    public String text() {
        var json = PodJson.MAPPER.createObjectNode();
        json.putObject("least")
                .put("cpu", Quantities.cpuText(least.milliCpu()))
                .put("mem", Quantities.memoryText(least.memoryBytes()));
        return json.put("until", until.toString()).toString();
    }
}
