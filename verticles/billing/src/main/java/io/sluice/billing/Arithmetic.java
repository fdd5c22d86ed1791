package io.sluice.billing;

/** How use becomes what is billed. */
public enum Arithmetic {
    /** The integral of use, piece by piece; what makes no whole second is carried on. */
    EXACT,
    /** As the reference: between two looks the lesser of what both saw; what makes no whole second is lost. */
    REFERENCE
}
