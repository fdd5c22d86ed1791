package io.sluice.messages.ledger;

/** The last contact of a pod's reservation with the VM's agent. */
public enum AgentContact {
    /** Recovered after a loss of the ledger's state; no request of its agent since. */
    RECOVERED,
    /** Recovered after a loss of the ledger's state, then reclaimed; no request of its agent since. */
    RECLAIMED,
    /** The pod arrived on the node without a hold; no request of its agent yet. */
    FOUND,
    /** Its autoscaling was switched off; its agent may still use what it was permitted. */
    SWITCHED_OFF,
    /** Its agent sent a request, or it has no agent. */
    REQUESTED;

    /** Whether more may be reserved than the VM uses, until its fence is claimed and the reservation is reclaimed. */
    public boolean unsettled() {
        return switch (this) {
            case RECOVERED, FOUND, SWITCHED_OFF -> true;
            case RECLAIMED, REQUESTED -> false;
        };
    }
}
