package io.sluice.neonvm.api;

/** How a watch ended. */
public enum WatchEnd {
    /** The server ended it after its timeout. */
    DONE,
    REFUSED,
    BROKEN,
    SILENT,
    EXPIRED
}
