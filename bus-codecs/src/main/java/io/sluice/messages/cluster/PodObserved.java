package io.sluice.messages.cluster;

import io.sluice.devices.GpuDemand;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A pod is bound to a node, or waits for one, and is not in a terminal phase.
 *
 * @param uid the pod's uid: the id of its reservation
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node it is bound to; empty while it waits for one
 * @param vmName the VM that it runs, in the same namespace; empty for any other pod
 * @param version grows with each change of the pod object; an older observation is dropped
 * @param amounts the size that is reserved for it: the sum of its containers' requests, or for a VM's pod the size in
 *     its annotations
 * @param createdAtSeconds creation time, in seconds since 1970
 * @param migration the name of the migration, in the same namespace, that moves its VM here; empty for any other pod.
 *     The pod takes over the hold of that migration, and its reservation is the one that the VM has at the source
 * @param priority pods of a higher one are placed first
 * @param fixed what is reserved for it of the other kinds
 * @param gpus what it requests of GPUs, and has
 */
public record PodObserved(
        String uid,
        String namespace,
        String name,
        String node,
        String vmName,
        long version,
        Resources amounts,
        long createdAtSeconds,
        String migration,
        int priority,
        FixedAmounts fixed,
        GpuDemand gpus) {
    public PodObserved {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(migration, "migration");
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(gpus, "gpus");
    }

    /** A pod without GPUs that Sluice allocates. */
    public PodObserved(
            String uid,
            String namespace,
            String name,
            String node,
            String vmName,
            long version,
            Resources amounts,
            long createdAtSeconds,
            String migration,
            int priority,
            FixedAmounts fixed) {
        this(
                uid,
                namespace,
                name,
                node,
                vmName,
                version,
                amounts,
                createdAtSeconds,
                migration,
                priority,
                fixed,
                GpuDemand.NONE);
    }

    /** A pod of the default priority that takes CPU and memory alone. */
    public PodObserved(
            String uid,
            String namespace,
            String name,
            String node,
            String vmName,
            long version,
            Resources amounts,
            long createdAtSeconds,
            String migration) {
        this(uid, namespace, name, node, vmName, version, amounts, createdAtSeconds, migration, 0);
    }

    /** A pod that takes CPU and memory alone. */
    public PodObserved(
            String uid,
            String namespace,
            String name,
            String node,
            String vmName,
            long version,
            Resources amounts,
            long createdAtSeconds,
            String migration,
            int priority) {
        this(
                uid,
                namespace,
                name,
                node,
                vmName,
                version,
                amounts,
                createdAtSeconds,
                migration,
                priority,
                FixedAmounts.NONE);
    }

    /** A pod of the default priority. */
    public PodObserved(
            String uid,
            String namespace,
            String name,
            String node,
            String vmName,
            long version,
            Resources amounts,
            long createdAtSeconds,
            String migration,
            FixedAmounts fixed) {
        this(uid, namespace, name, node, vmName, version, amounts, createdAtSeconds, migration, 0, fixed);
    }

    /** A pod without a migration. */
    public PodObserved(
            String uid,
            String namespace,
            String name,
            String node,
            String vmName,
            long version,
            Resources amounts,
            long createdAtSeconds) {
        this(uid, namespace, name, node, vmName, version, amounts, createdAtSeconds, "");
    }

    /** The same pod with another VM, size and migration. */
    public PodObserved with(String newVmName, Resources newAmounts, String newMigration) {
        return new PodObserved(
                uid,
                namespace,
                name,
                node,
                newVmName,
                version,
                newAmounts,
                createdAtSeconds,
                newMigration,
                priority,
                fixed,
                gpus);
    }

    /** The same pod with what it requests of GPUs, and has. */
    public PodObserved with(GpuDemand newGpus) {
        return new PodObserved(
                uid,
                namespace,
                name,
                node,
                vmName,
                version,
                amounts,
                createdAtSeconds,
                migration,
                priority,
                fixed,
                newGpus);
    }

    /** Whether it is the target of a migration. */
    public boolean migrationTarget() {
        return !migration.isEmpty();
    }

    /** Whether it waits for a node. */
    public boolean isPending() {
        return node.isEmpty();
    }

    /** Whether a VM runs in it. */
    public boolean runsVm() {
        return !vmName.isEmpty();
    }
}
