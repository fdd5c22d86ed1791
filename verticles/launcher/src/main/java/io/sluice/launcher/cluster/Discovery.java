package io.sluice.launcher.cluster;

/** How a process finds the others. */
public enum Discovery {
    /** The process is alone. */
    NONE,
    /** By a list of addresses. */
    TCP,
    /** By the addresses of a Kubernetes service. */
    KUBERNETES
}
