/** What would let a node ledger grant a request that it denies. */
package io.sluice.messages.ledger.grant;
