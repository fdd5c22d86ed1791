package io.sluice.ledger.core.state;

import java.util.Objects;

/**
 * The names of a pod. The id is the pod's uid, so a VM that migrates has two reservations on two nodes.
 *
 * @param id the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param vmName the VM that runs in it; empty for any other pod
 * @param createdAtSeconds creation time, in seconds since 1970
 */
public record PodIdentity(String id, String namespace, String name, String vmName, long createdAtSeconds) {
    public PodIdentity {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(vmName, "vmName");
    }

    /** Whether a VM runs in the pod. */
    public boolean runsVm() {
        return !vmName.isEmpty();
    }

    /** The namespace and name that operators use. */
    public String label() {
        return namespace + "/" + name;
    }

    public PodIdentity running(String vm) {
        return new PodIdentity(id, namespace, name, vm, createdAtSeconds);
    }
}
