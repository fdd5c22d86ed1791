package io.sluice.messages.vm;

import java.util.Objects;

/**
 * The reply to a report of a gang.
 *
 * @param refusal why its status was not written; empty where it was
 */
public record GangReported(String refusal) {
    public GangReported {
        Objects.requireNonNull(refusal, "refusal");
    }
}
