package io.sluice.messages.vm;

import java.util.Objects;

/**
 * The reply to {@link ScaleJob}.
 *
 * @param refusal why it may not have been written, in words; empty if it was
 */
public record ScaleReply(String refusal) {
    public ScaleReply {
        Objects.requireNonNull(refusal, "refusal");
    }
}
