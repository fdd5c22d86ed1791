package io.sluice.kills;

import java.util.List;
import java.util.Locale;

/**
 * What an audit came to.
 *
 * @param complaints all that is not as it should be
 * @param charges how often a key's use of a window, or of a part of one, was charged
 * @param events how many arrived
 * @param repeats how many arrived again
 * @param billed what all values add up to, in vCPU-seconds
 * @param exact what was charged before it became whole seconds, in milli-CPU times nanoseconds
 * @param off by how much the values of a stretch were away from that at most, in milli-CPU times nanoseconds
 * @param cover what VMs really had, and what covers it
 * @param told what was told
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
        ObservedHistory told) {
    private static final double COMPUTE_SECOND = 1e12;
    private static final double SECOND = 1e9;

    /** For people. */
    String figures() {
        var sums = cover.sums();
        var text = new StringBuilder();
        line(text, "charges, events at the sink, repeats", "%d, %d, %d", charges, events, repeats);
        line(text, "VMs had, vCPU-s", "%.3f", sums.all / COMPUTE_SECOND);
        line(text, "billed by events, vCPU-s", "%d", billed);
        line(text, "billed exactly, before it became whole seconds", "%.3f", exact / COMPUTE_SECOND);
        line(text, "most that a key's values were away from that", "%.3f", off / COMPUTE_SECOND);
        line(text, "not billed, and told so", "%.3f", sums.unbilled / COMPUTE_SECOND);
        line(text, "began and ended while nobody listened", "%.3f", sums.unknown / COMPUTE_SECOND);
        line(text, "heard of late", "%.3f", (sums.charged - exact + sums.late) / COMPUTE_SECOND);
        cover.unbilledNs()
                .forEach((cause, ns) ->
                        line(text, "told not to be billed, " + cause + ", s of VMs", "%.1f", ns / SECOND));
        line(text, "clocks apart at most, ms", "%.3f", told.mostAhead() / 1e6);
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
