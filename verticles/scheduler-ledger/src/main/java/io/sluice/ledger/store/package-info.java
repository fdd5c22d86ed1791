/** Stores of the ledger state. */
package io.sluice.ledger.store;
