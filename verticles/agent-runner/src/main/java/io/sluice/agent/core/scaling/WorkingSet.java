package io.sluice.agent.core.scaling;

/**
 * Estimates the size of a working set from estimates over growing windows of time. Such a curve climbs steeply while
 * windows still add pages of the set, is flat once they hold all of it, and climbs again where older sets are included.
 *
 * <p>All amounts are in pages; the window at index {@code i} spans {@code i + 1} minutes.
 */
public final class WorkingSet {
    /** A climb this many times as steep as the one before it ends the set. */
    private static final double STEEPER = 3.0;

    private WorkingSet() {}

    /**
     * The pages at the first window, from {@code from} on, after which the curve turns steep; the last window's pages
     * where it never does. Slopes are taken over {@code windowSize} windows, so {@code from} is at least
     * {@code windowSize - 1}.
     */
    public static double estimate(double[] pages, int from, int windowSize) {
        int span = windowSize - 1;
        for (int t = from; t < pages.length - span; t++) {
            double before = Math.max(0, pages[t] - pages[t - span]);
            double after = Math.max(0, pages[t + span] - pages[t]);
            if (after > STEEPER * before) {
                return pages[t];
            }
        }
        return pages[pages.length - 1];
    }

    /** The first index, from {@code from} on, whose pages exceed {@code estimate}; the number of windows if none do. */
    public static int end(double[] pages, int from, double estimate) {
        for (int i = from; i < pages.length; i++) {
            if (pages[i] > estimate) {
                return i;
            }
        }
        return pages.length;
    }

    /**
     * The most that the first {@code end} windows reach if each goes on to climb as it did, {@code ahead} windows
     * further. At least two windows are needed.
     */
    public static double project(double[] pages, int end, double ahead) {
        double most = pages[0];
        for (int i = 1; i < end; i++) {
            double before = pages[i - 1];
            double here = Math.max(before, pages[i]);
            most = Math.max(most, here + (here - before) * ahead);
        }
        return most;
    }

    /** The pages to provide memory for; too few windows to project from are used as they are. */
    static double predicted(double[] pages, int from, int windowSize, boolean useLargest) {
        double estimate = useLargest ? pages[pages.length - 1] : estimate(pages, from, windowSize);
        int end = end(pages, from, estimate);
        return switch (end) {
            case 0 -> estimate;
            case 1 -> pages[0];
            default -> project(pages, end, 0.5);
        };
    }
}
