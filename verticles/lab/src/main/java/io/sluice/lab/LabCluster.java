package io.sluice.lab;

/** Where the lab's objects stand. */
public enum LabCluster {
    /** In an API of its own, in memory. */
    OWN,
    /** In the cluster of section {@code kubernetes}, made for tests: its nodes, pods and VMs are created there. */
    KUBERNETES
}
