package io.sluice.neonvm.core.observed;

/**
 * A request to the ledger: how much is reserved for a migrating VM at the source. The target pod counts at that amount,
 * and is not published before the reply.
 *
 * @param target uid of the pod to which it moves
 * @param sourceNode the node that it leaves
 * @param source uid of the pod that it leaves
 * @param attempt of the migration that moves it
 */
public record ReservationLookup(String target, String sourceNode, String source, String attempt) {}
