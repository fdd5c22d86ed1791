package io.sluice.bench.measurement;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Every latency of one run, stored exactly; above a maximum number none is added, and the output marks that. */
public final class Latencies {
    private static final double NANOS_PER_MS = 1e6;

    private final long[] nanos;
    private int count;

    public Latencies(int max) {
        nanos = new long[max];
    }

    /** Thread-safe. */
    public synchronized void add(long latencyNanos) {
        if (count < nanos.length) {
            nanos[count++] = latencyNanos;
        }
    }

    public synchronized int count() {
        return count;
    }

    /** The smallest latency that this share of all do not exceed, in milliseconds. */
    public synchronized double ms(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        var sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * count);
        return sorted[Math.clamp(rank - 1, 0, count - 1)] / NANOS_PER_MS;
    }

    /** Columns of a table: number, p50, p99 and maximum, in milliseconds. */
    public String columns() {
        return columns(0.5, 0.99, 1);
    }

    /** Columns of a table: number, and for each share what {@link #ms} has for it. */
    public String columns(double... shares) {
        return Arrays.stream(shares)
                .mapToObj(share -> String.format(Locale.ROOT, "%.2f", ms(share)))
                .collect(Collectors.joining(" | ", count() + " | ", ""));
    }
}
