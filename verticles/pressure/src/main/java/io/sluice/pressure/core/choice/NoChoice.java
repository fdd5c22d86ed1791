package io.sluice.pressure.core.choice;

import java.util.Objects;

/**
 * VMs should leave a node and none does.
 *
 * @param cause what keeps them, or the one that came closest
 * @param reason in words, with the numbers of now
 * @param gist the same without the numbers that change by themselves: another gist is news
 */
public record NoChoice(Obstacle cause, String reason, String gist) {
    public NoChoice {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(gist, "gist");
    }
}
