package io.sluice.messages.cluster;

/**
 * A full listing of nodes, pods and VMs is through, and every fact in it was published before this one.
 *
 * @param nodes how many nodes it held
 * @param pods how many pods that count
 * @param vms how many VMs
 */
public record Listed(int nodes, int pods, int vms) {}
