package io.sluice.ledger.core;

import java.util.Objects;

/**
 * Names a member; its id is its pod's uid, so a VM that moves is two members on two nodes.
 *
 * @param id the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param vmName the VM that it runs; empty for any other pod
 * @param createdAtSeconds creation time, in seconds since 1970
 */
public record PodIdentity(String id, String namespace, String name, String vmName, long createdAtSeconds) {
    public PodIdentity {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(vmName, "vmName");
    }

    /** Whether a VM runs in it. */
    public boolean runsVm() {
        return !vmName.isEmpty();
    }

    /** The name that people use. */
    public String label() {
        return namespace + "/" + name;
    }

    PodIdentity running(String vm) {
        return new PodIdentity(id, namespace, name, vm, createdAtSeconds);
    }
}
