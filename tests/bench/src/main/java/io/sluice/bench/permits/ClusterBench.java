package io.sluice.bench.permits;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.HttpLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Permits by the place of the ledger state: in the memory of the process that gets the requests, in one member, in
 * three with a replica. Requests come over HTTP and over the bus, from a process with the role ledger and from one
 * without. All processes share the machine's cores.
 */
public final class ClusterBench {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration MEASURED = Duration.ofSeconds(12);
    private static final int[] CLOSED = {1, 64};
    private static final int BUS_SECONDS = 8;

    private ClusterBench() {}

    /** Prints its tables. */
    public static void main(String[] arguments) throws IOException {
        System.out.println(
                "| ledger state | requests to | load | permits/s | replies | p50 ms | p99 ms | max ms | not ruled |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        try (var server = Child.start(PermitServer.class, List.of())) {
            http("memory", Integer.parseInt(server.next()));
        }
        clustered("one member", 1, 1);
        clustered("three, a replica", 3, 3);
    }

    private static void clustered(String ledger, int ledgers, int processes) throws IOException {
        var children = new ArrayList<Child>();
        try {
            for (int number = 0; number < processes; number++) {
                children.add(start(number, ledgers, number == 0 ? List.of("LEDGER", "GATEWAY") : List.of("LEDGER")));
            }
            var first = children.getFirst();
            int port = Integer.parseInt(first.next());
            var joined = new ArrayList<String>();
            joined.add(first.next());
            for (var other : children.subList(1, processes)) {
                other.next();
                joined.add(other.next());
            }
            first.order("load");
            first.next();
            http(ledger, port);
            bus(ledger + "; requests to the owner", first);
            var outside = start(3, ledgers, List.of("AGENT"));
            children.add(outside);
            outside.next();
            joined.add(outside.next());
            bus(ledger + "; requests elsewhere", outside);
            System.out.println(
                    "\njoined within ms: " + String.join(", ", joined) + "; resident MiB: " + resident(children));
            children.getLast().order("leave");
            System.out.println("left within ms: " + children.getLast().next() + "\n");
        } finally {
            for (var child : children) {
                child.close();
            }
        }
    }

    private static Child start(int number, int ledgers, List<String> roles) throws IOException {
        var arguments = new ArrayList<String>();
        arguments.add(Integer.toString(number));
        arguments.add(Integer.toString(ledgers));
        arguments.addAll(roles);
        return Child.start(
                ClusterProcess.class, BenchOption.recorded(Child.DISTRIBUTION, 25), arguments.toArray(new String[0]));
    }

    private static void http(String ledger, int port) throws IOException {
        for (int connections : CLOSED) {
            try (var load = new HttpLoad(port, connections, PermitFleet.requests())) {
                load.run(WARM_UP, 0);
                long begun = System.nanoTime();
                var outcome = load.run(MEASURED, 0);
                double seconds = (System.nanoTime() - begun) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "| %s | HTTP | %d | %.0f | %s | %d |%n",
                        ledger,
                        connections,
                        outcome.latencies().count() / seconds,
                        outcome.latencies().columns(),
                        outcome.notOk());
            }
        }
    }

    private static void bus(String ledger, Child process) throws IOException {
        for (int inFlight : CLOSED) {
            process.order("bus " + BUS_SECONDS + " " + inFlight);
            System.out.printf("| %s | bus | %d | %s |%n", ledger, inFlight, process.next());
        }
    }

    private static String resident(List<Child> processes) throws IOException {
        var all = new ArrayList<String>();
        for (var process : processes) {
            var line = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(text -> text.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow();
            all.add(Long.toString(Long.parseLong(line.replaceAll("\\D", "")) / 1024));
        }
        return String.join(", ", all);
    }
}
