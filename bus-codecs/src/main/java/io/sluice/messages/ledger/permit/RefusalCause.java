package io.sluice.messages.ledger.permit;

/** Why a request to the ledger was refused, with nothing changed. */
public enum RefusalCause {
    /** The node has no such reservation. */
    POD_UNKNOWN("the node has no reservation for this pod"),
    /** The pod runs no VM. */
    NOT_A_VM("the pod runs no VM"),
    /** The compute unit has a zero. */
    ZERO_COMPUTE_UNIT("the compute unit must be above zero in both kinds"),
    /** The target has a zero. */
    ZERO_TARGET("the target must be above zero in both kinds"),
    /** A sum would overflow. */
    OVERFLOW("the sum of the amounts overflows"),
    /** The VM's label does not allow migrations. */
    NOT_MIGRATABLE("the VM may not be migrated"),
    /** The reservation is recovered, without a request of its agent since. */
    RECOVERED("no request of its agent has come since the ledger's state was recovered"),
    /** No VM is moved away from a node with the condition Ready False or Unknown. */
    NODE_NOT_READY("the node is not ready"),
    /** The VM is marked for another migration. */
    ALREADY_MOVING("another migration of the VM is under way"),
    /** The migration's mark was removed before: this is a late copy of its request. */
    ATTEMPT_OVER("the mark of this migration was removed before"),
    /** The ledger has not observed the VM in the pod yet, so it cannot tell what is reserved for it. */
    VM_UNOBSERVED("the VM was not observed in the pod yet");

    private final String sentence;

    RefusalCause(String sentence) {
        this.sentence = sentence;
    }

    /** The cause in words. */
    public String sentence() {
        return sentence;
    }
}
