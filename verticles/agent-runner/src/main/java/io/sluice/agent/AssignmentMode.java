package io.sluice.agent;

/** How several agents divide the VMs. */
public enum AssignmentMode {
    /** All processes of the Hazelcast cluster with the role share all VMs evenly. */
    PROCESSES,
    /** Each agent serves the VMs of one Kubernetes node; the agents need no list of each other. */
    NODE
}
