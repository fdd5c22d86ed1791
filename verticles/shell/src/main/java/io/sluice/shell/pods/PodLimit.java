package io.sluice.shell.pods;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * The most that a pod is given for now, as its driver writes it to an annotation: a larger size was refused.
 *
 * @param most the size of the whole pod
 * @param until until when; the driver removes the annotation then, or when the node changes
 * @param room the node's allocatable amounts when it was written; another amount ends it. Empty where the node was not
 *     the reason
 * @param reason one sentence
 */
public record PodLimit(Resources most, Instant until, Optional<Resources> room, String reason) {
    public PodLimit {
        Objects.requireNonNull(most, "most");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(reason, "reason");
    }

    /** The content of the annotation; empty if there is none, or none that the driver wrote. */
    public static Optional<PodLimit> of(String annotation) {
        if (annotation.isEmpty()) {
            return Optional.empty();
        }
        try {
            var json = PodJson.object(annotation);
            return Optional.of(new PodLimit(
                    PodJson.amount(json, "most"),
                    Instant.parse(json.path("until").asText()),
                    json.has("room") ? Optional.of(PodJson.amount(json, "room")) : Optional.empty(),
                    json.path("reason").asText()));
        } catch (IllegalArgumentException | DateTimeParseException notOurs) {
            return Optional.empty();
        }
    }

    /** The annotation. */
    public String text() {
        var json = PodJson.MAPPER.createObjectNode();
        json.putObject("most")
                .put("cpu", Quantities.cpuText(most.milliCpu()))
                .put("mem", Quantities.memoryText(most.memoryBytes()));
        room.ifPresent(amount -> json.putObject("room")
                .put("cpu", Quantities.cpuText(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes())));
        return json.put("until", until.toString()).put("reason", reason).toString();
    }

    /** Whether it holds no longer. */
    public boolean isOver(Instant now, Resources roomNow) {
        return !now.isBefore(until) || room.filter(was -> !was.equals(roomNow)).isPresent();
    }
}
