package io.sluice.neonvm.core;

/**
 * To be asked of the ledger: how much the VM has reserved where it leaves, now that it is moving. What it is moved to
 * counts at that, and is told to nobody before there is an answer.
 *
 * @param target uid of the pod that it is moved to
 * @param sourceNode the node that it leaves
 * @param source uid of the pod that it leaves
 * @param attempt of the migration that moves it
 */
public record ReservationLookup(String target, String sourceNode, String source, String attempt) {}
