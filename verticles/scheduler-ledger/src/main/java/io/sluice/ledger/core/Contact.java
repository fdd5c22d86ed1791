package io.sluice.ledger.core;

import io.sluice.messages.ledger.AgentContact;

/** How far what the books hold for a member rests on the word of its agent. */
public enum Contact {
    /** Loaded into empty books: booked at its maximum, as what lost books granted may still be put to use. */
    RECOVERED,
    /** Loaded, then booked as its VM was read once no lost permit could start growth; its agent was not heard yet. */
    SETTLED,
    /** Came past us after the load: booked at its maximum until its agent asks. */
    FOUND,
    /** Its autoscaling was switched off: what its agent was permitted may still be used until its fence is claimed. */
    SWITCHED_OFF,
    /** Its agent has asked, or there was nothing to hear: it came through us, or nobody scales it. */
    HEARD,
    /** Its agent has asked, and its VM may still come to use more than was permitted: all of its buffer. */
    EXPOSED;

    /** Whether its agent has an answer of this life of the node's state. */
    boolean isAnswered() {
        return this == HEARD || this == EXPOSED || this == SWITCHED_OFF;
    }

    /** As it is shown to others. */
    AgentContact shown() {
        return switch (this) {
            case RECOVERED -> AgentContact.RECOVERED;
            case SETTLED -> AgentContact.SETTLED;
            case FOUND -> AgentContact.FOUND;
            case SWITCHED_OFF -> AgentContact.SWITCHED_OFF;
            case HEARD, EXPOSED -> AgentContact.HEARD;
        };
    }

    /** Whether books that were lost may have granted it something. */
    boolean afterLoss() {
        return this == RECOVERED || this == SETTLED;
    }
}
