package io.sluice.messages.ledger;

import io.sluice.units.FixedAmounts;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Room on a node that other pods do not get, because one that waits needs it. Nothing is reserved: it may not exist
 * yet.
 *
 * @param node on which it is kept
 * @param uid of the pod for which it is kept; for all pods of a workload it begins with {@link #OF_WORKLOAD}; for a
 *     gang the attempt by which its members are to be held
 * @param pod the pod, as {@code namespace/name}; for all pods of a workload the workload
 * @param charge what the pod would add to the node's reservations
 * @param fixed the same of the other kinds
 * @param upTo the highest priority of the pods from which it is kept
 */
public record KeptRoom(String node, String uid, String pod, Resources charge, FixedAmounts fixed, int upTo) {
    /** The pods of a workload have its name, a dash and something else for names. */
    public static final String OF_WORKLOAD = "workload/";

    public KeptRoom {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(fixed, "fixed");
    }

    /** Room of CPU and memory alone. */
    public KeptRoom(String node, String uid, String pod, Resources charge, int upTo) {
        this(node, uid, pod, charge, FixedAmounts.NONE, upTo);
    }

    /** Whether it is kept for all pods of a workload. */
    public boolean isOfWorkload() {
        return uid.startsWith(OF_WORKLOAD);
    }

    /** Whether it is kept for a pod. */
    public boolean isFor(String podUid, String namespace, String name) {
        return uid.equals(podUid) || isOfWorkload() && (namespace + "/" + name).startsWith(pod + "-");
    }

    /** Whether it is kept for a hold of that attempt; each hold of a gang has its attempt, a dot and a number. */
    public boolean isForAttempt(String attempt) {
        return attempt.startsWith(uid + ".");
    }

    /**
     * Whether less than it would be left, of a kind that another pod takes.
     *
     * @param takes what the other pod adds to the node's reservations
     * @param takesFixed the same of the other kinds
     * @param left what the node has left with that pod
     * @param leftFixed the same of the other kinds
     */
    public boolean isTouched(Resources takes, FixedAmounts takesFixed, Resources left, FixedAmounts leftFixed) {
        for (var kind : ResourceKind.values()) {
            if (takes.of(kind) > 0 && charge.of(kind) > left.of(kind)) {
                return true;
            }
        }
        return !fixed.minus(leftFixed).min(takesFixed).isNone();
    }
}
