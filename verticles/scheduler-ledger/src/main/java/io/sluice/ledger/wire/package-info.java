/** The codecs of ledger states and commands that ledger processes send to each other. */
package io.sluice.ledger.wire;
