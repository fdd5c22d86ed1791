package io.sluice.launcher.core;

import java.util.Locale;

/** A set of verticles that one process runs; their names in config are in lower case. */
public enum Role {
    /** The reservations of each node. */
    LEDGER(true),
    /** Which VMs leave a full node. */
    PRESSURE(true),
    /** Where new pods are placed. */
    PLACEMENT(true),
    /** One runner for each VM. */
    AGENT(true),
    /** Sessions with the monitors inside VMs. */
    MONITOR(true),
    /** Patches of VMs. */
    VM(true),
    /** Observations of the Kubernetes cluster. */
    CLUSTER(true),
    /** Use over time, for bills. */
    BILLING(true),
    /** Machines that register themselves. */
    WORKERS(false),
    /** Listeners for agents of other processes, for operators and for metrics. */
    GATEWAY(true),
    /** The lab's simulated fleet; never started unless it is named. */
    LAB(true);

    private final boolean exists;

    Role(boolean exists) {
        this.exists = exists;
    }

    /** Whether this version implements it. */
    public boolean exists() {
        return exists;
    }

    /** Its name in config. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
