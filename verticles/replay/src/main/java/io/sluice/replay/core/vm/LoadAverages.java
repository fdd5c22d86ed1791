package io.sluice.replay.core.vm;

/** The load averages of a Linux guest: exponential means of the running and waiting tasks, updated each few seconds. */
final class LoadAverages {
    private final double keep1;
    private final double keep5;
    private double load1;
    private double load5;

    LoadAverages(int stepSeconds, double start) {
        keep1 = Math.exp(-stepSeconds / 60.0);
        keep5 = Math.exp(-stepSeconds / 300.0);
        load1 = start;
        load5 = start;
    }

    void add(double tasks) {
        load1 = load1 * keep1 + tasks * (1 - keep1);
        load5 = load5 * keep5 + tasks * (1 - keep5);
    }

    double load1() {
        return load1;
    }

    double load5() {
        return load5;
    }
}
