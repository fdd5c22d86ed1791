package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.AgentContact;

/** Which requests and events a reservation's amounts rest on. */
public enum Contact {
    /**
     * Loaded after a loss of state and reserved at the maximum, because permits of the lost state may still be used.
     */
    RECOVERED,
    /** Reclaimed after a loss of state, once no lost permit could start growth. Its agent has sent no request yet. */
    RECLAIMED,
    /** Arrived without a hold after the load: reserved at the maximum until its agent's first request. */
    FOUND,
    /** Autoscaling was switched off. Earlier permits may still be used until the VM's fence is claimed. */
    SWITCHED_OFF,
    /** Its agent has sent a request, or needs to send none: it was placed through this ledger, or is not autoscaled. */
    REQUESTED,
    /** Its agent has sent a request. Its VM may still come to use more than its permit; the buffer covers that. */
    EXPOSED;

    /** Whether the ledger has replied to its agent since the last loss of the node's state. */
    public boolean isAnswered() {
        return this == REQUESTED || this == EXPOSED || this == SWITCHED_OFF;
    }

    /** The value of the public API. */
    public AgentContact shown() {
        return switch (this) {
            case RECOVERED -> AgentContact.RECOVERED;
            case RECLAIMED -> AgentContact.RECLAIMED;
            case FOUND -> AgentContact.FOUND;
            case SWITCHED_OFF -> AgentContact.SWITCHED_OFF;
            case REQUESTED, EXPOSED -> AgentContact.REQUESTED;
        };
    }

    /** Whether it was loaded after a loss of state and its agent has sent no request yet. */
    public boolean afterLoss() {
        return this == RECOVERED || this == RECLAIMED;
    }
}
