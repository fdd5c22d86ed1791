package io.sluice.pods.core;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The name of a pod, as kubelets' metrics have it.
 *
 * @param namespace its namespace
 * @param name its name
 */
public record PodKey(String namespace, String name) {
    public PodKey {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }

    /** The name of the pod with that id. */
    public static PodKey of(VmId vm) {
        return new PodKey(vm.namespace(), vm.name());
    }
}
