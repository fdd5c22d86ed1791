package io.sluice.shell.pods;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How a pod is scaled, by its annotation. Keys that are not read here are scaling config, or of other programs.
 *
 * @param policy what of its container changes
 * @param allowRestart whether a resource may be resized for which the container is restarted
 * @param memoryHeadroom the share of a smaller memory limit that its working set must leave free
 * @param evict whether it may be evicted if its node has had no room for its growth for long
 */
public record PodOptions(Policy policy, boolean allowRestart, double memoryHeadroom, boolean evict) {
    /** What of a container changes. */
    public enum Policy {
        /** Requests, and limits in the same proportion. */
        BOTH,
        /** Requests alone, up to the limits. */
        REQUESTS,
        /** Limits alone, down to the requests. */
        LIMITS
    }

    private static final double HEADROOM = 0.15;

    /** Of a pod without the annotation. */
    public static final PodOptions DEFAULTS = new PodOptions(Policy.BOTH, false, HEADROOM, false);

    public PodOptions {
        Objects.requireNonNull(policy, "policy");
    }

    /**
     * Reads the annotation; an empty text means the defaults.
     *
     * @throws IllegalArgumentException if a key that is read has an invalid value
     */
    public static PodOptions of(String annotation) {
        if (annotation.isEmpty()) {
            return DEFAULTS;
        }
        var json = PodJson.object(annotation);
        return new PodOptions(
                policy(json.path("policy")), flag(json, "allowRestart"), headroom(json), flag(json, "evict"));
    }

    private static Policy policy(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return DEFAULTS.policy();
        }
        return Arrays.stream(Policy.values())
                .filter(policy -> policy.name().toLowerCase(Locale.ROOT).equals(value.asText()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("policy must be "
                        + Arrays.stream(Policy.values())
                                .map(policy -> policy.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))
                        + ", not " + value));
    }

    private static boolean flag(JsonNode json, String key) {
        var value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw new IllegalArgumentException(key + " must be true or false, not " + value);
        }
        return value.booleanValue();
    }

    private static double headroom(JsonNode json) {
        var value = json.path("memoryHeadroom");
        if (value.isMissingNode() || value.isNull()) {
            return HEADROOM;
        }
        if (!value.isNumber() || !(value.doubleValue() >= 0) || !(value.doubleValue() < 1)) {
            throw new IllegalArgumentException("memoryHeadroom must be a number from 0 and below 1, not " + value);
        }
        return value.doubleValue();
    }
}
