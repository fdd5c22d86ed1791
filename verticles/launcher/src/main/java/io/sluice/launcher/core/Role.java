package io.sluice.launcher.core;

import java.util.Locale;

/** A set of verticles that one process runs; their names in config are in lower case. */
public enum Role {
    /** The reservations of each node. */
    LEDGER,
    /** Which VMs leave a full node. */
    PRESSURE,
    /** Where new pods are placed. */
    PLACEMENT,
    /** One runner for each VM. */
    AGENT,
    /** Sessions with the monitors inside VMs. */
    MONITOR,
    /** Patches of VMs. */
    VM,
    /** Observations of the Kubernetes cluster. */
    CLUSTER,
    /** Use over time, for bills. */
    BILLING,
    /** Machines that register themselves; only where it is named. */
    WORKERS,
    /** Pods that are resized in place; only where it is named. */
    PODS,
    /** Listeners for agents of other processes, for operators and for metrics. */
    GATEWAY,
    /** The lab's simulated fleet; never started unless it is named. */
    LAB;

    /** Its name in config. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
