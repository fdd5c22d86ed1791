package io.sluice.agent.scheduler;

/** How schedulers are found that are reached over HTTP. */
public enum SchedulerDiscovery {
    /** Pods with the label {@code name=<schedulerName>}: those that are ready, the newest first. */
    PODS,
    /** The ready endpoints of a Kubernetes service, each request at any of them. */
    SERVICE,
    /** A list of addresses. */
    URLS
}
