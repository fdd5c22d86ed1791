package io.sluice.bench.billing;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The cost of billing VMs that never change: CPU and memory of a leader with all defaults and copies. */
public final class MeteringBench {
    private static final long WINDOW_MS = 24_000;
    private static final long LOOK_MS = 4_000;
    private static final double MICROSECOND = 1e3;
    private static final double MILLISECOND = 1e6;
    private static final double SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;
    private static final List<String> THREADS = List.of("loops", "outbox", "sinks");

    private MeteringBench() {}

    /** Takes the number of VMs and the heap of the process; prints a table. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int vms = Integer.parseInt(arguments[0]);
        System.out.println("| VMs | events/s | millicores | CPU ms a window | of event loops | of the outbox | of sinks"
                + " | of JIT and GC | heap MiB | of it copies |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        double without = measure(arguments[1], 0, 1, 1);
        double with = measure(arguments[1], vms, 2, 3);
        System.out.printf(Locale.ROOT, "%nCPU us a VM and window: %.1f%n", (with - without) / MICROSECOND / vms);
        System.exit(0);
    }

    /** CPU time of each window, in nanoseconds. */
    private static double measure(String heap, int vms, int windowsBefore, int windows)
            throws IOException, InterruptedException {
        try (var subject = BillingSubject.start(heap, vms, WINDOW_MS, LOOK_MS, true)) {
            subject.awaitListed();
            Thread.sleep(WINDOW_MS * windowsBefore);
            var before = subject.request("look");
            Thread.sleep(WINDOW_MS * windows);
            var after = subject.request("look");
            double seconds = BillingSubject.difference("nanos", before, after) / SECOND;
            double cpu = BillingSubject.difference("cpuNanos", before, after);
            var weight = subject.request("weigh");
            var parts = new StringBuilder();
            double rest = cpu;
            for (var threads : THREADS) {
                double part = BillingSubject.difference(threads, before, after);
                rest -= part;
                parts.append(String.format(Locale.ROOT, " | %.0f", part / windows / MILLISECOND));
            }
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %.0f | %.1f | %.0f%s | %.0f | %.1f | %.1f |%n",
                    vms,
                    BillingSubject.difference("made", before, after) / seconds,
                    cpu / seconds / MILLISECOND,
                    cpu / windows / MILLISECOND,
                    parts,
                    rest / windows / MILLISECOND,
                    weight.getLong("heap") / MEBIBYTE,
                    weight.getLong("copies") / MEBIBYTE);
            return cpu / windows;
        }
    }
}
