/** Requests to the ledger and its replies. Every reply has the reason and its numbers. */
package io.sluice.messages.ledger;
