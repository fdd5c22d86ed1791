package io.sluice.launcher.cluster;

/** How a process finds those that it works with. */
public enum Discovery {
    /** It is alone. */
    NONE,
    /** By a list of addresses. */
    TCP,
    /** By the addresses that Kubernetes has for a service. */
    KUBERNETES
}
