package io.sluice.ledger.core;

/** How far what the books hold for a member rests on the word of its agent. */
public enum Contact {
    /** Loaded into empty books: booked at its maximum, as what lost books granted may still be put to use. */
    RECOVERED,
    /** Loaded, then booked as its VM was read once no lost permit could start growth; its agent was not heard yet. */
    SETTLED,
    /** Came past us after the load: booked at its maximum until its agent asks. */
    FOUND,
    /** Its agent has asked, or there was nothing to hear: it came through us, or nobody scales it. */
    HEARD;

    /** Whether books that were lost may have granted it something. */
    boolean afterLoss() {
        return this == RECOVERED || this == SETTLED;
    }
}
