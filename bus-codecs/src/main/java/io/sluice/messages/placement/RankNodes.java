package io.sluice.messages.placement;

import java.util.List;
import java.util.Objects;

/**
 * Asks which of these nodes could take a pending pod, and how well each would suit it.
 *
 * @param uid the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param nodes names of the nodes
 */
public record RankNodes(String uid, String namespace, String name, List<String> nodes) {
    public RankNodes {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        nodes = List.copyOf(nodes);
    }
}
