/** The arithmetic of the reference's billing, to the last number: samples in, charges out. Pure. */
package io.sluice.billing.core.reference;
