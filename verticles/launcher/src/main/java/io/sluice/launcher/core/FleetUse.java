package io.sluice.launcher.core;

/**
 * How much of the fleet is promised, and how much of it works.
 *
 * @param reservedCores CPU that the ledger has reserved over all nodes
 * @param usedCores CPU that the load in the VMs takes, of what it wants
 */
public record FleetUse(double reservedCores, double usedCores) {}
