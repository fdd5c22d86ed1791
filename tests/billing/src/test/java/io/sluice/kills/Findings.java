package io.sluice.kills;

import java.util.List;
import java.util.Locale;

/**
 * The result of an audit.
 *
 * @param complaints all errors
 * @param charges number of usage records
 * @param events number of events that arrived
 * @param repeats number of events that arrived again
 * @param billed sum of all values, in vCPU-seconds
 * @param exact billed use before rounding to seconds, in milli-CPU times nanoseconds
 * @param off greatest difference between the values of a stretch and that, in milli-CPU times nanoseconds
 * @param cover what VMs really had, and what covers it
 * @param reported what was published
 */
record Findings(
        List<String> complaints,
        int charges,
        int events,
        long repeats,
        long billed,
        long exact,
        long off,
        Cover cover,
        ObservedHistory reported) {
    private static final double COMPUTE_SECOND = 1e12;
    private static final double SECOND = 1e9;

    /** Returns the figures as text for the log. */
    String figures() {
        var sums = cover.sums();
        var text = new StringBuilder();
        line(text, "usage records, events at the sink, repetitions", "%d, %d, %d", charges, events, repeats);
        line(text, "VMs had, vCPU-s", "%.3f", sums.all / COMPUTE_SECOND);
        line(text, "billed by events, vCPU-s", "%d", billed);
        line(text, "billed use before rounding to seconds", "%.3f", exact / COMPUTE_SECOND);
        line(text, "greatest difference of a key's values from that", "%.3f", off / COMPUTE_SECOND);
        line(text, "not billed, reported as gaps", "%.3f", sums.unbilled / COMPUTE_SECOND);
        line(text, "began and ended while nothing was received", "%.3f", sums.unknown / COMPUTE_SECOND);
        line(text, "received late", "%.3f", (sums.charged - exact + sums.late) / COMPUTE_SECOND);
        cover.unbilledNs().forEach((cause, ns) -> line(text, "gaps, " + cause + ", s of VMs", "%.1f", ns / SECOND));
        line(text, "clocks apart at most, ms", "%.3f", reported.mostAhead() / 1e6);
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-50s " + format + "%n", prepend(name, values)));
    }

    private static Object[] prepend(String first, Object[] rest) {
        var all = new Object[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }
}
