package io.sluice.messages.ledger;

import io.sluice.devices.GpuRequest;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Requests room on a node for a pod that is to come: all of it or nothing. If it is held already under the same name,
 * the hold is extended.
 *
 * @param node the node
 * @param holder the name that the room is held under: a pod's uid, or {@link #forMigration}
 * @param namespace of the pod that is to come
 * @param name of the pod that is to come, for operators
 * @param vmName the VM that will run in it; empty for any other
 * @param amounts how much, before overcommit
 * @param overcommit how the charge on the node is divided
 * @param ttl how long the room is held unless it is confirmed or requested again, an hour at most; or
 *     {@link #UNTIL_RELEASED}
 * @param attempt of the migration or placement that the room is for; {@link AttemptId#NONE} where there is none
 * @param fixed how much of the other kinds
 * @param gpus what is requested of the GPUs that Sluice allocates; the ledger chooses which
 * @param priority of the pod; room that is kept for a pod of the same or a higher one is denied to it
 * @param knownState {@link NodeLedgerView#completedAt} of the state that the sender knows. If that state was lost
 *     since, no room is held, so that a late copy of a request whose release was lost with it has no effect; empty if
 *     the sender knows none, and then this is not checked
 */
public record HoldRoom(
        String node,
        String holder,
        String namespace,
        String name,
        String vmName,
        Resources amounts,
        Overcommit overcommit,
        Duration ttl,
        String attempt,
        FixedAmounts fixed,
        List<GpuRequest> gpus,
        int priority,
        Optional<Instant> knownState) {
    /**
     * The time to live of room that only a release or its pod ends. A pod is bound under such a hold: no passing of
     * time shows that its bind will not arrive.
     */
    public static final Duration UNTIL_RELEASED = Duration.ofDays(36_500);

    private static final String FOR_MIGRATION = "migration/";

    public HoldRoom {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(ttl, "ttl");
        if (!ttl.isPositive()) {
            throw new IllegalArgumentException("ttl must be above zero: " + ttl);
        }
        AttemptId.checkedOrNone(attempt);
        Objects.requireNonNull(fixed, "fixed");
        gpus = List.copyOf(gpus);
        Objects.requireNonNull(knownState, "knownState");
    }

    /** Room of a sender that knows no state of the node. */
    public HoldRoom(
            String node,
            String holder,
            String namespace,
            String name,
            String vmName,
            Resources amounts,
            Overcommit overcommit,
            Duration ttl,
            String attempt,
            FixedAmounts fixed,
            List<GpuRequest> gpus,
            int priority) {
        this(
                node,
                holder,
                namespace,
                name,
                vmName,
                amounts,
                overcommit,
                ttl,
                attempt,
                fixed,
                gpus,
                priority,
                Optional.empty());
    }

    /** Room without GPUs for a pod of the default priority. */
    public HoldRoom(
            String node,
            String holder,
            String namespace,
            String name,
            String vmName,
            Resources amounts,
            Overcommit overcommit,
            Duration ttl,
            String attempt,
            FixedAmounts fixed) {
        this(node, holder, namespace, name, vmName, amounts, overcommit, ttl, attempt, fixed, List.of(), 0);
    }

    /** Room of CPU and memory alone. */
    public HoldRoom(
            String node,
            String holder,
            String namespace,
            String name,
            String vmName,
            Resources amounts,
            Overcommit overcommit,
            Duration ttl,
            String attempt) {
        this(node, holder, namespace, name, vmName, amounts, overcommit, ttl, attempt, FixedAmounts.NONE);
    }

    /** Room for a pod, under its uid. */
    public HoldRoom(
            String node,
            String holder,
            String namespace,
            String name,
            String vmName,
            Resources amounts,
            Overcommit overcommit,
            Duration ttl) {
        this(node, holder, namespace, name, vmName, amounts, overcommit, ttl, AttemptId.NONE);
    }

    /** The same of a sender that knows this state of the node. */
    public HoldRoom knowing(Optional<Instant> state) {
        return new HoldRoom(
                node, holder, namespace, name, vmName, amounts, overcommit, ttl, attempt, fixed, gpus, priority, state);
    }

    /** The name under which room for a migration's target is held, until its pod takes it over. */
    public static String forMigration(String namespace, String migration) {
        return FOR_MIGRATION + namespace + "/" + migration;
    }

    /** Whether this name is a migration's, and not a pod's uid. */
    public static boolean isForMigration(String holder) {
        return holder.startsWith(FOR_MIGRATION);
    }
}
