package io.sluice.pressure.core.choice;

/** What keeps a VM, or all VMs of a node, from leaving. Later constants are closer to leaving. */
public enum Obstacle {
    /** The node has no reservations. */
    NO_RESERVATIONS("the node has no reservations"),
    /** It is a pod without a VM. */
    NO_VM("runs no VM"),
    /** It is only held, and its pod is not bound yet. */
    HELD("is only held, and not bound yet"),
    /** A migration is bringing its VM here. */
    MIGRATION_TARGET("a migration is bringing its VM here"),
    /** It is leaving already. */
    MIGRATING("a migration of it is under way"),
    /** It is not labelled as migratable. */
    NOT_MIGRATABLE("is not labelled as migratable"),
    /** Its VM was never observed, or runs in another pod. */
    VM_UNKNOWN("its VM was not observed yet"),
    /** The object of an earlier migration is not deleted yet. */
    NOT_CLEANED("the object of its last migration is not deleted yet"),
    /** Its agent has sent no request since the ledger lost its state. */
    RECOVERED("its agent has sent no request since the ledger was loaded"),
    /** Its gang is being placed, or another member is leaving. */
    GANG("its gang is being placed, or another member of it is leaving"),
    /** Its charge alone is above the node's watermark. */
    TOO_LARGE("its charge alone is above the watermark"),
    /** It is migrated whenever possible, and has not reported metrics since it came. */
    NO_METRICS("has not reported metrics since it came"),
    /** It is in cooldown. */
    COOLING_DOWN("in cooldown after its last migration"),
    /** Its migration would take away nothing of the excess. */
    NO_RELIEF("its migration would not lower the excess"),
    /** No other node could hold it and stay below its watermark. */
    NO_ROOM("no other node could hold it and stay below its watermark"),
    /** The nodes that have CPU and memory for it are closed to it. */
    CLOSED("every node with CPU and memory for it is closed to it"),
    /** The limit of migrations that leave one node is reached. */
    NODE_BUDGET("the limit of VMs that leave the node at once is reached"),
    /** The limit of migrations under way is reached. */
    BUDGET("the limit of migrations under way is reached"),
    /** No full list of the migrations was received yet. */
    NOT_LISTED("no full list of the migrations was received yet"),
    /** The node is not ready: its VMs can hardly be migrated, and it may be ready again soon. */
    NODE_NOT_READY("the node is not ready"),
    /** Migrations are paused. */
    PAUSED("migrations are paused");

    private final String sentence;

    Obstacle(String sentence) {
        this.sentence = sentence;
    }

    /** The obstacle as text. */
    public String sentence() {
        return sentence;
    }
}
