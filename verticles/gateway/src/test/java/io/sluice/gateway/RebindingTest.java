package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With DNS rebinding a page makes its own name point to this machine, and its browser sees no other origin then. */
@ExtendWith(VertxExtension.class)
class RebindingTest {
    private static final List<String> LOCAL = List.of("127.0.0.1:9464", "localhost", "[::1]:80");

    private final Shell shell =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));

    @Test
    void readsNoMetricsOnLoopback(Vertx vertx) throws IOException {
        var ops = new HealthVerticle(ListenerConfig.loopback(0), shell, format -> "sluice_up 1\n");
        var vms = new VmMetricsVerticle(ListenerConfig.loopback(0), shell, format -> "vm_size{vm=\"a\"} 1\n");
        vertx.deployVerticle(ops).await();
        vertx.deployVerticle(vms).await();

        for (int port : List.of(ops.port(), vms.port())) {
            assertThat(scrape("127.0.0.1", port, "evil.example:" + port)).startsWith("HTTP/1.1 403");
            for (var host : LOCAL) {
                assertThat(scrape("127.0.0.1", port, host)).as(host).startsWith("HTTP/1.1 200");
            }
        }
    }

    private static String scrape(String address, int port, String host) throws IOException {
        try (var socket = new Socket(address, port)) {
            socket.setSoTimeout(20_000);
            var request = "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
