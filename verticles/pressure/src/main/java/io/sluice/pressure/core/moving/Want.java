package io.sluice.pressure.core.moving;

/** What should become of something that somebody else keeps. */
enum Want {
    /** It should be there. */
    KEEP,
    /** It should not be there. */
    NONE,
    /** It is as it should be, or ends by itself: nobody is asked. */
    LEAVE
}
