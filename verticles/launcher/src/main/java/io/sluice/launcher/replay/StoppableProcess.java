package io.sluice.launcher.replay;

/** The process of a command that ends early on a signal. */
public interface StoppableProcess {
    /** Whether the process is to end. */
    boolean isEnding();
}
