package io.sluice.bench.permits;

import com.sun.net.httpserver.HttpServer;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.HttpLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What traces cost permits over HTTP: processes without traces, with one permit in a hundred traced, and with all, take
 * turns under the same load. The receiver takes everything at once. Two processes without traces show how much equal
 * ones differ.
 */
public final class TracesBench {
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration MEASURED = Duration.ofSeconds(4);
    private static final int CONNECTIONS = 64;
    private static final int ROUNDS = 15;

    private TracesBench() {}

    /** One process, and what each round has measured. */
    private record Side(Child server, int port, List<Double> permits, List<Double> cpuMicros) {
        static Side start(String... variables) throws IOException {
            var server = Child.start(PermitServer.class, List.of(), variables);
            var side = new Side(server, Integer.parseInt(server.next()), new ArrayList<>(), new ArrayList<>());
            try (var load = side.load()) {
                load.run(WARM_UP, 0);
            }
            return side;
        }

        /** New connections, as the server would close some that are idle while others are measured. */
        private HttpLoad load() throws IOException {
            return new HttpLoad(port, CONNECTIONS, PermitFleet.requests());
        }

        void round() throws IOException {
            try (var load = load()) {
                double cpuBefore = server.cpuSeconds();
                long begun = System.nanoTime();
                long count = load.run(MEASURED, 0).latencies().count();
                permits.add(count / ((System.nanoTime() - begun) / 1e9));
                cpuMicros.add((server.cpuSeconds() - cpuBefore) * 1e6 / count);
            }
        }
    }

    /** Prints a table. */
    public static void main(String[] arguments) throws IOException {
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, -1);
            }
        });
        receiver.start();
        var endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:"
                + receiver.getAddress().getPort();
        var sampler = "OTEL_TRACES_SAMPLER=parentbased_traceidratio";
        var sides = new LinkedHashMap<String, Side>();
        try {
            sides.put("off", Side.start());
            sides.put("off, another process", Side.start());
            sides.put("1 %", Side.start(endpoint, sampler, "OTEL_TRACES_SAMPLER_ARG=0.01"));
            sides.put("100 %", Side.start(endpoint, sampler, "OTEL_TRACES_SAMPLER_ARG=1"));
            for (int round = 0; round < ROUNDS; round++) {
                for (var side : sides.values()) {
                    side.round();
                }
            }
            print(sides);
        } finally {
            for (var side : sides.values()) {
                side.server().close();
            }
            receiver.stop(0);
        }
    }

    private static void print(Map<String, Side> sides) {
        var off = sides.get("off");
        System.out.println("| traces | permits/s | to off | CPU us a permit | to off |");
        System.out.println("|---|--:|--:|--:|--:|");
        sides.forEach((name, side) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.3f | %.2f | %.3f |%n",
                name,
                median(side.permits()),
                median(side.permits()) / median(off.permits()),
                median(side.cpuMicros()),
                median(side.cpuMicros()) / median(off.cpuMicros())));
    }

    private static double median(List<Double> values) {
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
