package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A consumer has just started and requests that every observation is published again.
 *
 * @param by the name of the requesting role, for the log
 */
public record RelistRequest(String by) {
    public RelistRequest {
        Objects.requireNonNull(by, "by");
    }
}
