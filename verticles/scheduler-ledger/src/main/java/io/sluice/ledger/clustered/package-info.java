/**
 * Ledger state that several processes keep together, in a Hazelcast map with replicas of each node ledger on other
 * members. {@code docs/hazelcast.md} of this module has the nine points that keep two processes from granting the same
 * room.
 */
package io.sluice.ledger.clustered;
