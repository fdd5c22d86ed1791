/** The ledger of all nodes, as a verticle; its rules are in {@code core}, its stores in {@code store}. */
package io.sluice.ledger;
