/** Sessions and permit requests of runners, the ledger's replies, and why it refuses or cannot decide yet. */
package io.sluice.messages.ledger.permit;
