package io.sluice.launcher.core;

import java.util.Locale;

/** A set of verticles that one process runs; config names them in lower case. */
public enum Role {
    /** What each node has promised. */
    LEDGER(true),
    /** When a node must shed VMs. */
    PRESSURE(true),
    /** Where new work goes. */
    PLACEMENT(false),
    /** One runner for each VM. */
    AGENT(true),
    /** Sessions with the monitors inside VMs. */
    MONITOR(true),
    /** Patches of VMs. */
    VM(true),
    /** Facts about the cluster. */
    CLUSTER(true),
    /** Use over time. */
    BILLING(true),
    /** Machines that register themselves. */
    WORKERS(false),
    /** Doors for agents of other processes. */
    GATEWAY(true),
    /** The embedded fleet; never started unless it is named. */
    LAB(true);

    private final boolean exists;

    Role(boolean exists) {
        this.exists = exists;
    }

    /** Whether this version has verticles for it. */
    public boolean exists() {
        return exists;
    }

    /** Its name in config. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
