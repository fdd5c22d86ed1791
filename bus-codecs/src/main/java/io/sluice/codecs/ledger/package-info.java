/**
 * Wire codecs of the messages in {@code io.sluice.messages.ledger}: requests to the ledger, its replies and its state.
 */
package io.sluice.codecs.ledger;
