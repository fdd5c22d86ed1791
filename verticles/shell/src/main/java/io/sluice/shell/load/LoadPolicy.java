package io.sluice.shell.load;

import java.util.Optional;

/** By what nodes are scored, as it is written in the config. */
public enum LoadPolicy {
    /** By what is reserved on them. */
    RESERVED,
    /** By what is in use on them: the busy ones are filled first. */
    PACK,
    /** By what is in use on them: the idle ones come first. */
    SPREAD;

    /** Nodes are filled up to this share. */
    private static final double PACK_TARGET = 0.7;

    /** The score by use; empty where what is reserved decides. */
    public Optional<LoadScore> score() {
        return switch (this) {
            case RESERVED -> Optional.empty();
            case PACK -> Optional.of(new LoadScore.Pack(PACK_TARGET));
            case SPREAD -> Optional.of(new LoadScore.Spread());
        };
    }
}
