package io.sluice.agent.core.policy;

import java.util.Arrays;

/** The highest demands of a VM, one for each five minutes of the last days, and what was usual of them. */
final class PeakHistory {
    private final PolicyConfig config;
    private final int perDay;
    private final double[] ring;
    private final double[] recent;
    private final double[] daily;
    private final int around;
    private int count;

    PeakHistory(PolicyConfig config, int perDay) {
        this.config = config;
        this.perDay = perDay;
        int minutes = 24 * 60 / perDay;
        recent = new double
                [config.recentQuantile() == 0 ? 0 : (int) config.recent().toMinutes() / minutes];
        around = (int) config.dailyWindow().toMinutes() / minutes;
        daily = new double[config.dailyQuantile() == 0 ? 0 : config.days() * (2 * around + 1)];
        ring = new double[daily.length == 0 ? Math.max(1, recent.length) : config.days() * perDay + around + 1];
    }

    void add(double peak) {
        ring[count % ring.length] = peak;
        count++;
    }

    /** The larger of what was usual lately and what was usual at the time of day of the next peak. */
    double usual() {
        return Math.max(lately(), atThisTime());
    }

    private double lately() {
        int used = Math.min(recent.length, count);
        for (int i = 0; i < used; i++) {
            recent[i] = back(i + 1);
        }
        return quantile(recent, used, config.recentQuantile());
    }

    private double atThisTime() {
        int used = 0;
        for (int day = 1; daily.length > 0 && day <= config.days(); day++) {
            for (int place = -around; place <= around; place++) {
                int ago = day * perDay - place;
                if (ago >= 1 && ago <= Math.min(count, ring.length)) {
                    daily[used++] = back(ago);
                }
            }
        }
        return quantile(daily, used, config.dailyQuantile());
    }

    private double back(int ago) {
        return ring[(count - ago) % ring.length];
    }

    private static double quantile(double[] values, int used, double share) {
        return used == 0 ? 0 : Quantiles.of(sorted(values, used), share);
    }

    private static double[] sorted(double[] values, int used) {
        var copy = Arrays.copyOf(values, used);
        Arrays.sort(copy);
        return copy;
    }
}
