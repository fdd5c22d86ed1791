/** What is asked of the ledger and what it answers. Every answer carries the reason and the numbers behind it. */
package io.sluice.messages.ledger;
