/** The arithmetic of the reference's billing, with equal results. Pure. */
package io.sluice.billing.core.reference;
