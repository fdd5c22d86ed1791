/** Copies of what the leader has, for the leader after it. */
package io.sluice.billing.replica;
