package io.sluice.lab.load.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A guest's file cache over time. The working set of a window is the most that was used in any of its minutes. So a
 * growing set is visible at once, and a shrinking one only when it leaves the windows. Time is that of the series, in
 * which a day takes as long as the load plan sets; it never goes back.
 */
public final class FileCacheLoad {
    /** The number of windows: of 1, 2, 3 ... minutes. */
    public static final int WINDOWS = 60;

    /** Bytes of a page. */
    public static final long PAGE_BYTES = 8 << 10;

    private static final double MILLIS_PER_MINUTE = 60_000;
    private static final int WRITES_PER_MISS = 4;

    private final FileCachePlan plan;
    private final double speed;
    private final Instant start;
    private Instant last;
    private double hits;
    private double misses;

    /**
     * A cache that was at its least before.
     *
     * @param speed how many times faster than real time the series advances
     */
    public FileCacheLoad(FileCachePlan plan, double speed, Instant start) {
        this.plan = plan;
        this.speed = speed;
        this.start = start;
        this.last = start;
    }

    /**
     * The values of its metrics.
     *
     * @param hits pages that were requested and found
     * @param misses pages that were requested and not found
     * @param writes pages written
     * @param usedPages pages in it
     * @param limitPages the most pages in it
     * @param windowPages the working set of the last 1, 2, 3 ... minutes
     */
    public record Reading(
            long hits, long misses, long writes, long usedPages, long limitPages, List<Long> windowPages) {
        public Reading {
            windowPages = List.copyOf(windowPages);
        }
    }

    /** Advances the time, at a size of the cache. A time before the last one changes nothing. */
    public void advance(Instant now, long limitBytes) {
        if (last.isBefore(now)) {
            double minutes = seriesTime(now).minus(seriesTime(last)).toMillis() / MILLIS_PER_MINUTE;
            double pages = minutes * plan.touched(seriesTime(now)) / PAGE_BYTES;
            double found = Math.min(1, (double) limitBytes / Math.max(1, plan.touched(seriesTime(now))));
            hits += pages * found;
            misses += pages * (1 - found);
            last = now;
        }
    }

    /** The values of its metrics now, at a size of the cache. */
    public Reading reading(long limitBytes) {
        var windows = new ArrayList<Long>();
        long most = 0;
        for (int minute = 0; minute < WINDOWS; minute++) {
            var then = seriesTime(last).minusMinutes(minute);
            most = Math.max(most, plan.touched(then.isNegative() ? Duration.ZERO : then));
            windows.add(most / PAGE_BYTES);
        }
        return new Reading(
                (long) hits,
                (long) misses,
                (long) misses / WRITES_PER_MISS,
                Math.min(most, limitBytes) / PAGE_BYTES,
                limitBytes / PAGE_BYTES,
                windows);
    }

    private Duration seriesTime(Instant now) {
        return Duration.ofNanos((long) (Duration.between(start, now).toNanos() * speed));
    }
}
