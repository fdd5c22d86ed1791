package io.sluice.placement.core.elastic;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A pod of a job that runs.
 *
 * @param pod its name
 * @param node where it runs
 * @param amounts what it counts at on its node
 * @param desired the size that it is to have; it counts at a larger one until its node has applied that
 * @param resizable whether its size can be changed where it runs
 */
public record ElasticMember(String pod, String node, Resources amounts, Resources desired, boolean resizable) {
    public ElasticMember {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(desired, "desired");
    }
}
