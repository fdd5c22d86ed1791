package io.sluice.messages.vm;

import java.util.Objects;

/**
 * The reply to {@link ChooseVolume}.
 *
 * @param refusal why it may not have been written, in words; empty if it was
 */
public record VolumeChoice(String refusal) {
    public VolumeChoice {
        Objects.requireNonNull(refusal, "refusal");
    }
}
