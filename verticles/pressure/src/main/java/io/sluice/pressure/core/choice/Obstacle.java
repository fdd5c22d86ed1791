package io.sluice.pressure.core.choice;

/** What keeps a member, or everybody on a node, from leaving; the later ones are what comes closest to leaving. */
public enum Obstacle {
    /** The node has no members. */
    NO_MEMBERS("the node has no members"),
    /** It is a pod without a VM. */
    NO_VM("runs no VM"),
    /** It is only held, and not there yet. */
    HELD("is only held, and not bound yet"),
    /** A migration is moving its VM here. */
    MIGRATION_TARGET("a migration is moving its VM here"),
    /** It is leaving already. */
    MIGRATING("is leaving already"),
    /** It is not labelled as one that may be moved. */
    NOT_MIGRATABLE("is not labelled as one that may be moved"),
    /** Its VM was never heard of, or runs in another pod. */
    VM_UNKNOWN("its VM was not heard of yet"),
    /** The object of an earlier migration is not cleaned away yet. */
    NOT_CLEANED("its last migration is not cleaned away yet"),
    /** Nobody has heard from its agent since the books were loaded. */
    RECOVERED("nobody has heard from its agent since the books were loaded"),
    /** It alone is above the node's watermark. */
    TOO_LARGE("alone is above the watermark"),
    /** It is moved whenever possible, and has not reported metrics since it came. */
    NO_METRICS("has not reported metrics since it came"),
    /** Its last migration was not long ago. */
    COOLING_DOWN("in cool-down after its last migration"),
    /** It holds nothing of the kind that there is too much of. */
    NO_RELIEF("holds nothing of what there is too much of"),
    /** No other node could hold it and stay below its watermark. */
    NO_ROOM("no other node could hold it and stay below its watermark"),
    /** The nodes that could hold it take nothing new. */
    CLOSED("no node that could hold it takes anything new"),
    /** As many leave the node as may at once. */
    NODE_BUDGET("as many leave the node as may at once"),
    /** As many are under way as may be at once. */
    BUDGET("as many migrations are under way as may be at once"),
    /** What migrations there are was not heard yet. */
    NOT_LISTED("what migrations there are was not heard yet"),
    /** The node is not ready: what runs there can hardly be moved, and it may be back soon. */
    NODE_NOT_READY("the node is not ready"),
    /** No migration is to be begun. */
    PAUSED("migrations are paused");

    private final String sentence;

    Obstacle(String sentence) {
        this.sentence = sentence;
    }

    /** The obstacle in words. */
    public String sentence() {
        return sentence;
    }
}
