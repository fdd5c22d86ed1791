package io.sluice.pressure.core.migrations;

/** What should become of something that somebody else keeps. */
enum DesiredRemoteState {
    /** It should be there. */
    KEEP,
    /** It should not be there. */
    NONE,
    /** It is as it should be, or ends by itself: nobody is asked. */
    LEAVE
}
