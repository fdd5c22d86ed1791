package io.sluice.dashboards;

import io.sluice.shell.LoopbackPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The demo of the distribution, as a process of its own. */
final class Demo implements AutoCloseable {
    static final Path START_SCRIPT = Path.of("..", "..", "verticles", "launcher", "target", "sluice", "bin", "sluice");

    private static final Pattern METRICS_AT = Pattern.compile("metrics at http://([^/]+)/metrics");
    private static final String NO_RECEIVER = "http://127.0.0.1:1";
    private static final int SECONDS = 3600;
    private static final Duration REPLY_WITHIN = Duration.ofSeconds(30);

    private final Process process;
    private final String ops;
    private final Ports ports;
    private final int kubernetes;
    private final HttpClient client = HttpClient.newHttpClient();

    private Demo(Process process, String ops, Ports ports, int kubernetes) {
        this.process = process;
        this.ops = ops;
        this.ports = ports;
        this.kubernetes = kubernetes;
    }

    /** Ports of its own: another process may be choosing among the usual ones now. */
    record Ports(int ops, int agent, int dump, int console, int vmMetrics, int extender, int hazelcast, int bus) {
        static Ports free() {
            return new Ports(
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next());
        }

        /** The options by which a process has them. */
        List<String> options() {
            return List.of(
                    listener("ops", ops),
                    listener("agent", agent),
                    listener("dump", dump),
                    listener("console", console),
                    listener("vmMetrics", vmMetrics),
                    listener("extender", extender),
                    "-Dsluice.hazelcast.port=" + hazelcast,
                    "-Dsluice.hazelcast.busPort=" + bus);
        }

        String opsAddress() {
            return "127.0.0.1:" + ops;
        }

        private static String listener(String name, int port) {
            return "-Dsluice.gateway." + name + ".port=" + port;
        }
    }

    /**
     * Starts a demo in which every part has something to do: a Hazelcast cluster of one member, the own scheduler,
     * workers, runner pods that follow the ledger and scaling events. Its dump listener has a certificate, its console
     * a token, and its agent API requires tokens of Kubernetes. It records traces, which no receiver takes.
     */
    static Demo start(Path folder) throws Exception {
        var ports = Ports.free();
        var certificate = ListenerCertificate.in(folder);
        var token = Files.writeString(folder.resolve("console.token"), "a-token-of-the-console\n");
        var command = new ArrayList<>(List.of(START_SCRIPT.toString(), "demo"));
        int kubernetes = LoopbackPorts.next();
        command.addAll(ports.options());
        command.addAll(List.of(
                "-Dsluice.lab.apiPort=" + kubernetes,
                "-Dsluice.hazelcast.addresses=127.0.0.1:" + ports.hazelcast(),
                "-Dsluice.roles=all,lab,workers",
                "-Dsluice.hazelcast.join=tcp",
                "-Dsluice.placement.schedulerName=sluice",
                "-Dsluice.placement.preemption=true",
                "-Dsluice.workers.port=0",
                "-Dsluice.workers.controlPort=0",
                "-Dsluice.workers.store=" + folder.resolve("workers"),
                "-Dsluice.vm.mirrorRequests=true",
                "-Dsluice.billing.scalingEvents.regionName=here",
                "-Dsluice.billing.scalingEvents.file.directory=" + folder.resolve("scaling-events"),
                "-Dsluice.gateway.dump.tls.cert=" + certificate.cert(),
                "-Dsluice.gateway.dump.tls.key=" + certificate.key(),
                "-Dsluice.gateway.console.tokenFile=" + token,
                "-Dsluice.gateway.agent.tokenReview.enabled=true",
                "--duration",
                SECONDS + "s"));
        var builder = new ProcessBuilder(command)
                .redirectError(folder.resolve("demo.err").toFile());
        builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", NO_RECEIVER);
        var process = builder.start();
        try {
            return new Demo(process, opsListener(process), ports, kubernetes);
        } catch (IOException | AssertionError unsaid) {
            end(process);
            throw unsaid;
        }
    }

    /**
     * Reads the address of the metrics from the demo's first line; the rest of the output is read on, so that the demo
     * never blocks.
     */
    private static String opsListener(Process demo) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var at = METRICS_AT.matcher(line);
            if (at.find()) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(read -> {}));
                return at.group(1);
            }
        }
        throw new AssertionError("the demo ended before it printed the address of its metrics");
    }

    /** The targets of a scrape, as {@code host:port}. */
    List<String> targets() {
        return List.of(ops, "127.0.0.1:" + ports.vmMetrics());
    }

    /** The instance of the process's own metrics. */
    String ops() {
        return ops;
    }

    String agentApi() {
        return "127.0.0.1:" + ports.agent();
    }

    /** The embedded API server. */
    String kubernetes() {
        return "127.0.0.1:" + kubernetes;
    }

    String console() {
        return "127.0.0.1:" + ports.console();
    }

    /** The process's own metrics, in the format with that media type. */
    String metrics(String format) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://" + ops + "/metrics"))
                .header("Accept", format)
                .timeout(REPLY_WITHIN)
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    /** Sends one request several times, whatever the replies. */
    void send(int times, HttpRequest.Builder request) {
        var sent = request.timeout(REPLY_WITHIN).build();
        for (int i = 0; i < times; i++) {
            try {
                client.send(sent, BodyHandlers.discarding());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        end(process);
    }
}
