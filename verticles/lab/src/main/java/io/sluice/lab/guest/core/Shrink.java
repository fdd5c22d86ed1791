package io.sluice.lab.guest.core;

/** What a monitor says to being asked for memory. */
public sealed interface Shrink {
    /** It gives it. */
    record Allowed(String status) implements Shrink {}

    /** It needs it. */
    record Denied(String status) implements Shrink {}

    /** It cannot tell. */
    record Failed(String error) implements Shrink {}
}
