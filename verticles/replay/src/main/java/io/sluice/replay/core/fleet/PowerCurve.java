package io.sluice.replay.core.fleet;

/**
 * The power of a machine by its use of CPU, measured at each tenth and interpolated between.
 *
 * @param watts at 0, 10 … 100 %
 */
record PowerCurve(double[] watts) {
    private static final int STEPS = 10;

    double at(double share) {
        double place = Math.min(share, 1) * STEPS;
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, STEPS);
        return watts[below] + (watts[above] - watts[below]) * (place - below);
    }

    /** The energy of some seconds in which the use moves in a line; a machine without use is off. */
    double wattSeconds(double from, double to, double seconds) {
        return from == 0 ? 0 : (at(from) + at(to)) / 2 * seconds;
    }
}
