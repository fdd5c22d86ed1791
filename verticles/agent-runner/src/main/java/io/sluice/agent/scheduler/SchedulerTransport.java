package io.sluice.agent.scheduler;

/** By which way runners reach the ledger. */
public enum SchedulerTransport {
    /** The bus: the ledger is in this process, or in one that it is joined with. */
    BUS,
    /** HTTP: a gateway of ours, or the reference's scheduler plugin. */
    HTTP
}
