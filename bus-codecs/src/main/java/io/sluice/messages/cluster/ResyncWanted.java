package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * Somebody has just started to listen and wants every fact published again.
 *
 * @param by who, for the log: the name of its role
 */
public record ResyncWanted(String by) {
    public ResyncWanted {
        Objects.requireNonNull(by, "by");
    }
}
