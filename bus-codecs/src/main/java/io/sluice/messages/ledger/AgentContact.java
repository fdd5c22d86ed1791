package io.sluice.messages.ledger;

/** How far what is reserved for a pod's VM rests on what its agent has said. */
public enum AgentContact {
    /** Counted after the ledger was lost, and not heard from yet. */
    RECOVERED,
    /** Counted after the ledger was lost, then settled; not heard from yet. */
    SETTLED,
    /** Reached the node past the ledger, and not heard from yet. */
    FOUND,
    /** Its autoscaling was switched off; its agent may still use what it was permitted. */
    SWITCHED_OFF,
    /** Its agent was heard, or there is nothing to hear. */
    HEARD;

    /** Whether more may be reserved than the VM uses, until its fence is claimed and it is settled. */
    public boolean unsettled() {
        return switch (this) {
            case RECOVERED, FOUND, SWITCHED_OFF -> true;
            case SETTLED, HEARD -> false;
        };
    }
}
