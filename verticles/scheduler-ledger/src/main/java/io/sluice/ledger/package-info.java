/** What every node has promised to whom, as a verticle; its rules are in {@code core}, its books in {@code store}. */
package io.sluice.ledger;
