package io.sluice.bench.permits;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.HttpLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Permits over HTTP: agents without sessions, as those of the reference, request one unit more and one less in turn.
 * The server is another process; the client costs almost nothing and has one thread.
 */
public final class PermitBench {
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration MEASURED = Duration.ofSeconds(12);
    private static final int[] CLOSED = {1, 8, 64};
    private static final int OPEN_CONNECTIONS = 64;
    private static final int OPEN_PER_SECOND = 1_000;

    private PermitBench() {}

    /** Prints a table. */
    public static void main(String[] arguments) throws IOException {
        try (var server = Child.start(PermitServer.class, BenchOption.recorded(List.of(), 10))) {
            int port = Integer.parseInt(server.next());
            System.out.println("| load | permits/s | replies | p50 ms | p99 ms | max ms | not 200 | server CPUs |");
            System.out.println("|---|---|---|---|---|---|---|---|");
            for (int connections : CLOSED) {
                row("closed, " + connections, server, port, connections, 0);
            }
            row("open, " + OPEN_PER_SECOND + "/s", server, port, OPEN_CONNECTIONS, OPEN_PER_SECOND);
        }
    }

    private static void row(String name, Child server, int port, int connections, int perSecond) throws IOException {
        try (var load = new HttpLoad(port, connections, PermitFleet.requests())) {
            load.run(WARM_UP, perSecond);
            double cpuBefore = server.cpuSeconds();
            long begun = System.nanoTime();
            var outcome = load.run(MEASURED, perSecond);
            double seconds = (System.nanoTime() - begun) / 1e9;
            double cpus = (server.cpuSeconds() - cpuBefore) / seconds;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %s | %d | %.2f |%n",
                    name,
                    outcome.latencies().count() / seconds,
                    outcome.latencies().columns(),
                    outcome.notOk(),
                    cpus);
        }
    }
}
