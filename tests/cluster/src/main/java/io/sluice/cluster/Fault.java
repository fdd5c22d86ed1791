package io.sluice.cluster;

/** Something that is done to a cluster. */
@FunctionalInterface
interface Fault {
    /**
     * Does it, and returns when it has lasted.
     *
     * @return how its cause is taken away again; who is dead is started, and cuts are mended, in any case
     */
    Runnable strike(Cluster cluster);
}
