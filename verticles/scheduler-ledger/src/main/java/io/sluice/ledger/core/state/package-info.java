/** The state of a node ledger: its reservations, their amounts and sums, and how others see them. Immutable. */
package io.sluice.ledger.core.state;
