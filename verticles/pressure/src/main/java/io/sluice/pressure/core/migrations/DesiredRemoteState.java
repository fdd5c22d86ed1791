package io.sluice.pressure.core.migrations;

/** The desired state of a hold or mark in the ledger. */
enum DesiredRemoteState {
    /** It should exist. */
    KEEP,
    /** It should not exist. */
    NONE,
    /** It is as it should be, or ends by itself: no request is sent. */
    LEAVE
}
