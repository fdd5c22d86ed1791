package io.sluice.messages.ledger.grant;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A change with which a denied request would be granted.
 *
 * @param kind what has to change
 * @param node where
 * @param room by how much, for {@link Kind#ROOM}, {@link Kind#WATERMARK} and {@link Kind#MAXIMUM}; what becomes free,
 *     for the end of a reservation; else zero
 * @param fixed the same of the other kinds
 * @param pod the uid of the pod that has to leave or end; empty for other kinds
 * @param subject what has to change, for people: a VM or pod as {@code namespace/name}; empty where it is the node
 */
public record GrantChange(Kind kind, String node, Resources room, FixedAmounts fixed, String pod, String subject) {
    /** What has to change, in the order in which changes are listed. */
    public enum Kind {
        /** The node has more room. */
        ROOM,
        /** The node's watermark is higher. */
        WATERMARK,
        /** The VM's maximum is higher. */
        MAXIMUM,
        /** The node's condition Ready is True. */
        NODE_READY,
        /** The node's ledger is complete. */
        LEDGER_COMPLETE,
        /** The migration of the VM that requests is over, and the VM stays. */
        MIGRATION_ENDED,
        /** Room is kept for another pod no longer. */
        CLAIM_ENDED,
        /** A hold of another pod has ended. */
        HOLD_ENDED,
        /** A VM that migrates away has left. */
        VM_LEFT,
        /** A VM that may migrate has been moved away. */
        VM_MOVED,
        /** A pod that cannot migrate has ended. */
        POD_ENDED,
        /** The node has a taint no longer, or the pod tolerates it. */
        TAINT_TOLERATED,
        /** The node is cordoned no longer. */
        UNCORDONED,
        /** The pod's node selector and affinity allow the node. */
        NODE_ALLOWED
    }

    public GrantChange {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(subject, "subject");
    }

    /** A change of the node, or of what the request is for. */
    public static GrantChange of(Kind kind, String node, String subject) {
        return new GrantChange(kind, node, Resources.NONE, FixedAmounts.NONE, "", subject);
    }

    /** More of an amount. */
    public static GrantChange more(Kind kind, String node, Resources room, FixedAmounts fixed) {
        return new GrantChange(kind, node, room, fixed, "", "");
    }
}
