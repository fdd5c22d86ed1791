package io.sluice.agent.scheduler;

/** How schedulers are found that are asked over HTTP. */
public enum SchedulerDiscovery {
    /** Pods with the label {@code name=<schedulerName>}: the one that was made last and is ready. */
    PODS,
    /** The ready endpoints of a Kubernetes service. */
    SERVICE,
    /** A list of addresses. */
    URLS
}
