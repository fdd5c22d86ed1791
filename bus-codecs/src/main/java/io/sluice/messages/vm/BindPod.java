package io.sluice.messages.vm;

import io.sluice.devices.GpuGrant;
import java.util.Objects;

/**
 * Creates the Binding of a pod, unless the pod has changed since that version.
 *
 * @param uid the pod's uid, which the Binding carries
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node to bind it to
 * @param version of the pod, which the Binding carries; the pod was observed with it before room was held
 * @param gpus those that the pod gets, which the Binding writes on it
 */
public record BindPod(String uid, String namespace, String name, String node, long version, GpuGrant gpus) {
    public BindPod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(gpus, "gpus");
    }

    /** A pod without GPUs. */
    public BindPod(String uid, String namespace, String name, String node, long version) {
        this(uid, namespace, name, node, version, GpuGrant.NONE);
    }
}
