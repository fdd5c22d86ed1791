package io.sluice.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What it costs to bill VMs of which nothing changes: the CPU of a process with every default, by its threads. */
public final class MeteringBench {
    private static final long WINDOW_MS = 24_000;
    private static final long LOOK_MS = 4_000;
    private static final double MICROSECOND = 1e3;
    private static final double SECOND = 1e9;
    private static final List<String> THREADS = List.of("loops", "outbox", "sinks");

    private MeteringBench() {}

    /** Takes how many VMs there are and the heap of the process; prints a table. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println("| VMs | millicores | CPU us a VM and window | of event loops | of the outbox | of sinks"
                + " | of JIT and GC | events/s |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        measure(arguments[1], 0, 1, 1);
        measure(arguments[1], Integer.parseInt(arguments[0]), 2, 3);
        System.exit(0);
    }

    private static void measure(String heap, int vms, int windowsBefore, int windows)
            throws IOException, InterruptedException {
        try (var subject = BillingSubject.start(heap, vms, WINDOW_MS, LOOK_MS)) {
            subject.awaitListed();
            Thread.sleep(WINDOW_MS * windowsBefore);
            var before = subject.ask("look");
            Thread.sleep(WINDOW_MS * windows);
            var after = subject.ask("look");
            double seconds = BillingSubject.difference("nanos", before, after) / SECOND;
            double cpu = BillingSubject.difference("cpuNanos", before, after);
            double each = Math.max(1, vms) * windows * MICROSECOND;
            var columns = new StringBuilder();
            double rest = cpu;
            for (var threads : THREADS) {
                double part = BillingSubject.difference(threads, before, after);
                rest -= part;
                columns.append(String.format(Locale.ROOT, " | %.2f", part / each));
            }
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %.1f | %.2f%s | %.2f | %.0f |%n",
                    vms,
                    1000 * cpu / SECOND / seconds,
                    cpu / each,
                    columns,
                    rest / each,
                    BillingSubject.difference("made", before, after) / seconds);
        }
    }
}
