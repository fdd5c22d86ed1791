package io.sluice.pressure.core.choice;

import java.util.Objects;

/**
 * VMs should leave a node and none does.
 *
 * @param cause the obstacle of all VMs, or of the one that came closest to leaving
 * @param reason as text, with the present numbers
 * @param gist the same without the numbers that change by themselves; a reason is only published again if it changes
 */
public record NoChoice(Obstacle cause, String reason, String gist) {
    public NoChoice {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(gist, "gist");
    }
}
