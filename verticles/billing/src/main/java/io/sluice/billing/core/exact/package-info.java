/** Adds up use exactly, from each change of a VM to the next. Pure. */
package io.sluice.billing.core.exact;
