/** Finds what would let a node ledger grant a request that it denies. Pure, like the core. */
package io.sluice.ledger.core.nearest;
