package io.sluice.agent;

/** By what several agents tell whose a VM is. */
public enum AssignmentMode {
    /** The members of the cluster that carry the role share all VMs evenly. */
    MEMBERS,
    /** Each agent serves the VMs of one Kubernetes node; the agents need not know each other. */
    NODE
}
