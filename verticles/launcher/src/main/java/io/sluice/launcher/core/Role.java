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
    /** The control groups of pods on one node; only where it is named. */
    NODE_AGENT,
    /** Listeners for agents of other processes, for operators and for metrics. */
    GATEWAY,
    /** The lab's simulated fleet; never started unless it is named. */
    LAB;

    /** Whether it always reads or writes objects of the Kubernetes cluster; some others do so by their config. */
    public boolean usesKubernetes() {
        return switch (this) {
            case VM, CLUSTER, PODS, NODE_AGENT -> true;
            case LEDGER, PRESSURE, PLACEMENT, AGENT, MONITOR, BILLING, WORKERS, GATEWAY, LAB -> false;
        };
    }

    /** Its name in messages. */
    public String title() {
        return "the role " + key();
    }

    /** Its name in config. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
