package io.sluice.pressure.core.choice;

import java.util.Objects;
import java.util.Optional;

/**
 * The gang of a VM's pod.
 *
 * @param label its namespace and name
 * @param against why none of its members may leave now, in words that follow "it"; empty where one may
 */
public record KnownGang(String label, Optional<String> against) {
    public KnownGang {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(against, "against");
    }
}
