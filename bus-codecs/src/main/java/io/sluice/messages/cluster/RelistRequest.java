package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * Somebody has just started to listen and wants every fact published again.
 *
 * @param by who, for the log: the name of its role
 */
public record RelistRequest(String by) {
    public RelistRequest {
        Objects.requireNonNull(by, "by");
    }
}
