package io.sluice.lab.load.core;

/**
 * What a guest does beside its recorded load because somebody asked for it.
 *
 * @param vCpus the CPU that it wants on top
 * @param bytes the memory that it allocates
 */
public record GuestTask(double vCpus, long bytes) {
    /** Nothing on top. */
    public static final GuestTask NONE = new GuestTask(0, 0);

    public GuestTask {
        if (!(vCpus >= 0 && vCpus < Double.POSITIVE_INFINITY) || bytes < 0) {
            throw new IllegalArgumentException("an errand takes some CPU and memory: " + vCpus + ", " + bytes);
        }
    }
}
