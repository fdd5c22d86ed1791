package io.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Permits by where the books are: in the asked process's memory, in one member, in three with a copy; over HTTP and
 * over the bus, from a process that keeps books and from one that keeps none. All processes share the machine's cores.
 */
public final class ClusterBench {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration MEASURED = Duration.ofSeconds(12);
    private static final int[] CLOSED = {1, 64};
    private static final int BUS_SECONDS = 8;

    private ClusterBench() {}

    /** Prints its tables. */
    public static void main(String[] arguments) throws IOException {
        System.out.println("| books | asked | load | permits/s | answers | p50 ms | p99 ms | max ms | not ruled |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        try (var server = Child.start(PermitServer.class, List.of())) {
            http("memory", Integer.parseInt(server.next()));
        }
        clustered("one member", 1, 1);
        clustered("three, a copy", 3, 3);
    }

    private static void clustered(String books, int ledgers, int processes) throws IOException {
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
            http(books, port);
            bus(books + "; asked where books are", first);
            var outside = start(3, ledgers, List.of("AGENT"));
            children.add(outside);
            outside.next();
            joined.add(outside.next());
            bus(books + "; asked elsewhere", outside);
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
        return Child.start(ClusterProcess.class, jvm(number), arguments.toArray(new String[0]));
    }

    /** A profile of the process that is asked: {@code -Dbench.jfr=FILE}. */
    private static List<String> jvm(int number) {
        var options = new ArrayList<>(List.of(
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=4",
                "--add-modules=java.se",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.management/sun.management=ALL-UNNAMED",
                "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"));
        var file = System.getProperty("bench.jfr", "");
        if (!file.isEmpty()) {
            options.add("-XX:StartFlightRecording=settings=profile,delay=25s,filename=" + number + "-" + file);
        }
        return options;
    }

    private static void http(String books, int port) throws IOException {
        for (int connections : CLOSED) {
            try (var load = new HttpLoad(port, connections, PermitFleet.questions())) {
                load.run(WARM_UP, 0);
                long begun = System.nanoTime();
                var outcome = load.run(MEASURED, 0);
                double seconds = (System.nanoTime() - begun) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "| %s | HTTP | %d | %.0f | %s | %d |%n",
                        books,
                        connections,
                        outcome.latencies().count() / seconds,
                        outcome.latencies().columns(),
                        outcome.notOk());
            }
        }
    }

    private static void bus(String books, Child process) throws IOException {
        for (int inFlight : CLOSED) {
            process.order("bus " + BUS_SECONDS + " " + inFlight);
            System.out.printf("| %s | bus | %d | %s |%n", books, inFlight, process.next());
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
