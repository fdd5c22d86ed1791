/** The node ledger as pure functions: from a state, a command and an instant to a new state, a reply and notices. */
package io.sluice.ledger.core;
