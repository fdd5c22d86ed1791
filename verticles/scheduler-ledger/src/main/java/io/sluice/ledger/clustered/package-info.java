/**
 * Books that several processes keep together, in a Hazelcast map with a copy of each node's on other members. The nine
 * points that keep two ledgers from promising the same room are in the module's README.
 */
package io.sluice.ledger.clustered;
