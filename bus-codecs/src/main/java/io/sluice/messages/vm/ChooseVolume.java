package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Chooses what becomes of a volume claim that waits for its pod's node: an existing volume is reserved for it, or one
 * is to be made for the node.
 *
 * @param namespace of the claim
 * @param claim its name
 * @param uid of the claim
 * @param node the pod's
 * @param volume that is reserved for it; empty where one is to be made
 * @param version of the object that is written: the volume, or else the claim; nothing is written if it has changed
 */
public record ChooseVolume(String namespace, String claim, String uid, String node, String volume, long version) {
    public ChooseVolume {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(volume, "volume");
    }
}
