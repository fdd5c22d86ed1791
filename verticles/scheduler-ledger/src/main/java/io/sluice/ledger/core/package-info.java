/** The books of one node, pure: a command and an instant in; a new state, a reply and notices out. */
package io.sluice.ledger.core;
