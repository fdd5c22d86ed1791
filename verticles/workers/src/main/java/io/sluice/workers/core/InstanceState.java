package io.sluice.workers.core;

/** Where an instance stands. */
public enum InstanceState {
    /** It waits for a worker. */
    PENDING,
    /** A worker is written down for it, and has not acknowledged its order yet. */
    ASSIGNED,
    /** The worker has accepted it. */
    CREATING,
    RUNNING,
    /** Its worker is suspect. */
    UNKNOWN,
    /** It runs until its successor on another worker does. */
    REPLACED,
    /** It is to stop, and to start again where it is. */
    RECREATING,
    /** It is to stop. */
    DESTROYING,
    TERMINATED,
    FAILED;

    /** Whether it holds room on a worker. */
    public boolean holdsRoom() {
        return switch (this) {
            case ASSIGNED, CREATING, RUNNING, UNKNOWN, REPLACED, RECREATING, DESTROYING -> true;
            case PENDING, TERMINATED, FAILED -> false;
        };
    }

    /** Whether nothing comes after it by itself. */
    public boolean isFinal() {
        return this == TERMINATED || this == FAILED;
    }
}
