package io.sluice.agent.scheduler;

/** The transport by which runners reach the ledger. */
public enum SchedulerTransport {
    /** The bus: the ledger is in this process, or in another of its Hazelcast cluster. */
    BUS,
    /** HTTP: Sluice's gateway, or the reference's scheduler plugin. */
    HTTP
}
