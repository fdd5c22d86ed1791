package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Changes an annotation of a pod that waits. No earlier {@link BindPod} can take effect after that, since each names an
 * older version, and the pod's scheduler tries it again.
 *
 * @param uid the pod's uid; another pod of that name does not count
 * @param namespace the pod's namespace
 * @param name the pod's name
 */
public record TouchPod(String uid, String namespace, String name) {
    public TouchPod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }
}
