package io.sluice.cluster;

/** A fault that is injected into a cluster. */
@FunctionalInterface
interface Fault {
    /**
     * Injects the fault; returns when it has lasted long enough.
     *
     * @return removes its cause; in any case dead processes are started and cuts are healed afterwards
     */
    Runnable strike(Cluster cluster);
}
