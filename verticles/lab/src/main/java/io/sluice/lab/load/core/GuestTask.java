package io.sluice.lab.load.core;

/**
 * Work of a guest besides its recorded load, on request.
 *
 * @param vCpus the additional CPU that it needs
 * @param bytes the memory that it allocates
 */
public record GuestTask(double vCpus, long bytes) {
    /** No additional work. */
    public static final GuestTask NONE = new GuestTask(0, 0);

    public GuestTask {
        if (!(vCpus >= 0 && vCpus < Double.POSITIVE_INFINITY) || bytes < 0) {
            throw new IllegalArgumentException("CPU and memory must not be negative: " + vCpus + ", " + bytes);
        }
    }
}
