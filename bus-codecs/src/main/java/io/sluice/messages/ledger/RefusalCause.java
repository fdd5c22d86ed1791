package io.sluice.messages.ledger;

/** Why a question to the ledger was refused, with nothing changed. */
public enum RefusalCause {
    /** No such member on that node. */
    MEMBER_UNKNOWN("the node has no such member"),
    /** The member is a pod without a VM. */
    NOT_A_VM("the member runs no VM"),
    /** The compute unit has a zero. */
    ZERO_COMPUTE_UNIT("the compute unit must be above zero in both kinds"),
    /** The target has a zero. */
    ZERO_TARGET("the target must be above zero in both kinds"),
    /** A sum would overflow. */
    OVERFLOW("the amounts are beyond what can be counted"),
    /** The VM is not labelled as one that may be moved. */
    NOT_MIGRATABLE("the VM may not be moved"),
    /** The member was loaded, and its agent was not heard from yet. */
    RECOVERED("nobody has heard from its agent since the books were loaded"),
    /** Nobody is moved away from a node whose condition Ready is False or Unknown. */
    NODE_NOT_READY("the node is not ready"),
    /** The VM is marked for another migration. */
    ALREADY_MOVING("another migration of the VM is under way"),
    /** The migration's mark was taken back before: a late copy of its question. */
    ATTEMPT_OVER("the mark of this migration was taken back before");

    private final String sentence;

    RefusalCause(String sentence) {
        this.sentence = sentence;
    }

    /** The cause in words. */
    public String sentence() {
        return sentence;
    }
}
