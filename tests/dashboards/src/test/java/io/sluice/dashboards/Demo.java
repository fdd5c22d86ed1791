package io.sluice.dashboards;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The demo of the distribution, as a process of its own. */
final class Demo implements AutoCloseable {
    static final Path START_SCRIPT = Path.of("..", "..", "verticles", "launcher", "target", "sluice", "bin", "sluice");

    private static final Pattern METRICS_AT = Pattern.compile("metrics at http://([^/]+)/metrics");
    private static final int SECONDS = 900;

    private final Process process;
    private final String ops;
    private final int vmMetrics;

    private Demo(Process process, String ops, int vmMetrics) {
        this.process = process;
        this.ops = ops;
        this.vmMetrics = vmMetrics;
    }

    /** Starts a demo whose dump listener has a certificate, and whose agent API requires tokens of Kubernetes. */
    static Demo start(Path folder) throws Exception {
        int vmMetrics = Prometheus.freePort();
        var certificate = ListenerCertificate.in(folder);
        var process = new ProcessBuilder(
                        START_SCRIPT.toString(),
                        "demo",
                        // Listeners of its own: another demo may be choosing among the usual ports now.
                        listener("ops", Prometheus.freePort()),
                        listener("agent", Prometheus.freePort()),
                        listener("dump", Prometheus.freePort()),
                        listener("console", Prometheus.freePort()),
                        listener("vmMetrics", vmMetrics),
                        "-Dsluice.gateway.dump.tls.cert=" + certificate.cert(),
                        "-Dsluice.gateway.dump.tls.key=" + certificate.key(),
                        "-Dsluice.gateway.agent.tokenReview.enabled=true",
                        "--duration",
                        SECONDS + "s")
                .redirectError(folder.resolve("demo.err").toFile())
                .start();
        try {
            return new Demo(process, opsListener(process), vmMetrics);
        } catch (IOException | AssertionError unsaid) {
            end(process);
            throw unsaid;
        }
    }

    private static String listener(String name, int port) {
        return "-Dsluice.gateway." + name + ".port=" + port;
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
        return List.of(ops, "127.0.0.1:" + vmMetrics);
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
