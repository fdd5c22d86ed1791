package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Names a pod whose present state is to be read from the API server.
 *
 * @param uid the pod's uid; another pod of that name does not count
 * @param namespace the pod's namespace
 * @param name the pod's name
 */
public record ReadPod(String uid, String namespace, String name) {
    public ReadPod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }
}
