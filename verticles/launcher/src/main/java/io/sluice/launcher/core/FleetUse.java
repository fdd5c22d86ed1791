package io.sluice.launcher.core;

/**
 * How much CPU of the fleet is reserved, and how much of it is used.
 *
 * @param reservedCores CPU that the ledger has reserved on all nodes
 * @param usedCores CPU that the load in the VMs uses, up to the VMs' sizes
 */
public record FleetUse(double reservedCores, double usedCores) {}
