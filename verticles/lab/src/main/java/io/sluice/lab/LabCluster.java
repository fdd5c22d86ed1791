package io.sluice.lab;

/** The Kubernetes cluster that contains the lab's objects. */
public enum LabCluster {
    /** The lab's own API server in memory. */
    OWN,
    /**
     * The Kubernetes cluster of section {@code kubernetes}, made for tests: the lab's nodes, pods and VMs are created
     * there.
     */
    KUBERNETES
}
