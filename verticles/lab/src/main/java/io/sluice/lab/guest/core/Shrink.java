package io.sluice.lab.guest.core;

/** A monitor's answer to a downscale request. */
public sealed interface Shrink {
    /** It agrees. */
    record Allowed(String status) implements Shrink {}

    /** It denies. */
    record Denied(String status) implements Shrink {}

    /** It cannot decide. */
    record Failed(String error) implements Shrink {}
}
