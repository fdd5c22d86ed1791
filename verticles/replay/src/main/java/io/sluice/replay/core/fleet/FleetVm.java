package io.sluice.replay.core.fleet;

/** A VM of the fleet: its load over time, its last measurements, and what migrations took from it. */
final class FleetVm {
    static final int HISTORY = 30;
    private static final double PERIOD_SECONDS = 300;
    private static final double FIRST_SECOND = 0.1;

    private final int index;
    private final double mips;
    private final int ramMegabytes;
    private final double[] load;
    private final double[] history = new double[HISTORY];
    private int measured;
    private double measuredAt;
    private double requested;
    private FleetNode node;
    private boolean migrating;
    private double entryAt = -1;
    private double entryAllocated;
    private double entryRequested;
    private boolean entryMigrating;
    private double requestedOverTime;
    private double lostByMigration;

    /**
     * A VM.
     *
     * @param load the share of its CPU that it uses at the beginning of each period
     */
    FleetVm(int index, double mips, int ramMegabytes, double[] load) {
        this.index = index;
        this.mips = mips;
        this.ramMegabytes = ramMegabytes;
        this.load = load;
    }

    /** Time passes: the load is that of now, and each whole period is measured. */
    void advance(double time) {
        double share = shareAt(time);
        requested = share * mips;
        if (time > measuredAt && (time - FIRST_SECOND) % PERIOD_SECONDS == 0) {
            System.arraycopy(history, 0, history, 1, HISTORY - 1);
            history[0] = share;
            measured = Math.min(measured + 1, HISTORY);
            measuredAt = time;
        }
    }

    private double shareAt(double time) {
        int before = (int) Math.floor(time / PERIOD_SECONDS);
        double first = load[Math.min(before, load.length - 1)];
        double second = load[Math.min(before + 1, load.length - 1)];
        return first + (second - first) / PERIOD_SECONDS * (time - before * PERIOD_SECONDS);
    }

    /** What it got in this instant; a later entry of the same instant takes the place of an earlier one. */
    void enter(double time, double allocated, boolean inMigration) {
        if (entryAt != time) {
            closeEntry(time);
        }
        entryAt = time;
        entryAllocated = allocated;
        entryRequested = requested;
        entryMigrating = inMigration;
    }

    private void closeEntry(double until) {
        if (entryAt < 0) {
            return;
        }
        double seconds = until - entryAt;
        requestedOverTime += entryRequested * seconds;
        if (entryMigrating && entryAllocated < entryRequested) {
            lostByMigration += (entryRequested - entryAllocated) * seconds;
        }
    }

    int index() {
        return index;
    }

    double requested() {
        return requested;
    }

    int ramMegabytes() {
        return ramMegabytes;
    }

    double mips() {
        return mips;
    }

    int measured() {
        return measured;
    }

    /** The share of its CPU that it used, some periods ago. */
    double measured(int ago) {
        return history[ago];
    }

    FleetNode node() {
        return node;
    }

    void on(FleetNode home) {
        node = home;
    }

    boolean migrating() {
        return migrating;
    }

    void migrating(boolean now) {
        migrating = now;
    }

    double requestedOverTime() {
        return requestedOverTime;
    }

    double lostByMigration() {
        return lostByMigration;
    }
}
