package io.sluice.cluster.process;

/** How a group of processes is cut off from another. */
public enum Cut {
    /** Packets are dropped, both ways. */
    DROP,
    /** Connections are reset, both ways. */
    REJECT,
    /** What the isolated group sends is dropped; it still receives. */
    DROP_SENT,
    /** What is sent to the isolated group is dropped; it still sends. */
    DROP_RECEIVED
}
