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

    /** One whose dump door has a certificate, and whose agents' door wants tokens of Kubernetes. */
    static Demo start(Path folder) throws Exception {
        int vmMetrics = Prometheus.freePort();
        var certificate = ListenerCertificate.in(folder);
        var process = new ProcessBuilder(
                        START_SCRIPT.toString(),
                        "demo",
                        // Doors of its own: another demo may be choosing among the usual ones at this moment.
                        door("ops", Prometheus.freePort()),
                        door("agent", Prometheus.freePort()),
                        door("dump", Prometheus.freePort()),
                        door("console", Prometheus.freePort()),
                        door("vmMetrics", vmMetrics),
                        "-Dsluice.gateway.dump.tls.cert=" + certificate.cert(),
                        "-Dsluice.gateway.dump.tls.key=" + certificate.key(),
                        "-Dsluice.gateway.agent.tokenReview.on=true",
                        "--seconds",
                        String.valueOf(SECONDS))
                .redirectError(folder.resolve("demo.err").toFile())
                .start();
        try {
            return new Demo(process, opsDoor(process), vmMetrics);
        } catch (IOException | AssertionError unsaid) {
            end(process);
            throw unsaid;
        }
    }

    private static String door(String name, int port) {
        return "-Dsluice.gateway." + name + ".port=" + port;
    }

    /** The demo's first line says where its metrics are; what follows is read on, so that it never waits for us. */
    private static String opsDoor(Process demo) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var at = METRICS_AT.matcher(line);
            if (at.find()) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(read -> {}));
                return at.group(1);
            }
        }
        throw new AssertionError("the demo ended before it said where its metrics are");
    }

    /** Where it can be scraped, as {@code host:port}. */
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
