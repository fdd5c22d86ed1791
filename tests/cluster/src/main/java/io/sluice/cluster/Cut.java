package io.sluice.cluster;

/** How a group of processes is cut off from another. */
public enum Cut {
    /** Packets vanish, both ways. */
    DROP,
    /** Connections are reset, both ways. */
    REJECT,
    /** What the group that is cut off sends vanishes; it goes on hearing. */
    DROP_SENT,
    /** What the group that is cut off would hear vanishes; it goes on sending. */
    DROP_HEARD
}
