package io.sluice.pressure.core.choice;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Who leaves a node.
 *
 * @param picks those who leave, in order
 * @param nobody why none does, although some should
 */
public record Choice(List<Pick> picks, Optional<NoChoice> nobody) {
    /** Nobody has to leave. */
    public static final Choice NONE = new Choice(List.of(), Optional.empty());

    public Choice {
        picks = List.copyOf(picks);
        Objects.requireNonNull(nobody, "nobody");
    }

    static Choice nobody(NoChoice why) {
        return new Choice(List.of(), Optional.of(why));
    }
}
