package io.sluice.pressure.core.choice;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The VMs that leave a node.
 *
 * @param picks the VMs that leave, in order
 * @param none why no VM leaves although some should
 */
public record Choice(List<Pick> picks, Optional<NoChoice> none) {
    /** No VM has to leave. */
    public static final Choice NONE = new Choice(List.of(), Optional.empty());

    public Choice {
        picks = List.copyOf(picks);
        Objects.requireNonNull(none, "none");
    }

    static Choice none(NoChoice why) {
        return new Choice(List.of(), Optional.of(why));
    }
}
