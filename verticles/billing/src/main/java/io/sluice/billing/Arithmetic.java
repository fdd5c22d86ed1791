package io.sluice.billing;

/** How measured use becomes billed use. */
public enum Arithmetic {
    /** Bills the integral of use. A remainder below a whole second is carried to the next usage record. */
    EXACT,
    /**
     * Bills as the reference does: the smaller of two consecutive samples. A remainder below a whole second is lost.
     */
    REFERENCE
}
