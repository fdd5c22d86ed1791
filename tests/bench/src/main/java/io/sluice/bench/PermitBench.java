package io.sluice.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Permits over HTTP: agents without sessions, as the reference's are, ask for one unit more and one less in turn. The
 * server is another process; what asks costs next to nothing and runs on one thread.
 */
public final class PermitBench {
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration MEASURED = Duration.ofSeconds(12);
    private static final int PODS = PermitServer.NODES * PermitServer.PODS_PER_NODE;
    private static final int[] CLOSED = {1, 8, 64};
    private static final int OPEN_CONNECTIONS = 64;
    private static final int OPEN_PER_SECOND = 1_000;

    private PermitBench() {}

    /** Prints a table. */
    public static void main(String[] arguments) throws IOException {
        try (var server = Child.start(PermitServer.class, jvm())) {
            int port = Integer.parseInt(server.next());
            System.out.println("| load | permits/s | answers | p50 ms | p99 ms | max ms | not 200 | server CPUs |");
            System.out.println("|---|---|---|---|---|---|---|---|");
            for (int connections : CLOSED) {
                row("closed, " + connections, server, port, connections, 0);
            }
            row("open, " + OPEN_PER_SECOND + "/s", server, port, OPEN_CONNECTIONS, OPEN_PER_SECOND);
        }
    }

    /** A profile for whoever wants to know what stands in the way: {@code -Dbench.jfr=FILE}. */
    private static List<String> jvm() {
        var file = System.getProperty("bench.jfr", "");
        return file.isEmpty()
                ? List.of()
                : List.of("-XX:StartFlightRecording=settings=profile,delay=10s,filename=" + file);
    }

    private static void row(String name, Child server, int port, int connections, int perSecond) throws IOException {
        try (var load = new HttpLoad(port, connections, questions())) {
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

    /** Of each pod two: for more and for less. */
    private static byte[][] questions() {
        var questions = new byte[2 * PODS][];
        for (int pod = 0; pod < PODS; pod++) {
            questions[pod] = question(pod, 1, 2);
            questions[PODS + pod] = question(pod, 2, 1);
        }
        return questions;
    }

    private static byte[] question(int pod, int unitsBefore, int units) {
        var body = """
            {"protoVersion":7,"pod":{"namespace":"default","name":"%s"},"computeUnit":{"vCPUs":"250m","mem":"1Gi"},\
            "resources":%s,"lastPermit":%s,"metrics":{"loadAvg1M":0.42}}\
            """.formatted(Members.pod(pod), amount(units), amount(unitsBefore));
        var head = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static String amount(int units) {
        return "{\"vCPUs\":\"" + 250 * units + "m\",\"mem\":\"" + units + "Gi\"}";
    }
}
