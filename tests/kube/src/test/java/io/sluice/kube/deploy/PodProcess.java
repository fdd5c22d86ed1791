package io.sluice.kube.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The program as a pod runs it, at an address of loopback in place of the pod's: with a config file and variables that
 * override it.
 */
final class PodProcess implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final Duration EXTENDER_MAX = Duration.ofSeconds(20);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);
    private static final int OK = 200;

    /** JVM options for a fast start. */
    private static final String SMALL = "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    /** Variables for a process that has the whole ledger. */
    static final Map<String, String> ALONE = Map.of(
            "SLUICE_HAZELCAST_JOIN", "none", "SLUICE_HAZELCAST_LEDGERS", "1", "SLUICE_HAZELCAST_HOST", "127.0.0.1");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
    private final String address;
    private final Process process;

    private PodProcess(String address, Process process) {
        this.address = address;
        this.process = process;
    }

    static PodProcess start(String address, Path config, Map<String, String> variables, Path log) {
        var environment = new HashMap<>(variables);
        for (var listener : new String[] {"AGENT", "OPS", "VM_METRICS", "DUMP", "EXTENDER", "CONSOLE"}) {
            environment.put("SLUICE_GATEWAY_" + listener + "_HOST", address);
        }
        environment.put("SLUICE_JAVA_OPTS", SMALL);
        var data = log.resolveSibling(log.getFileName() + ".data");
        environment.put("SLUICE_BILLING_DIRECTORY", data.resolve("billing").toString());
        environment.put("SLUICE_BILLING_FILE_DIRECTORY", data.resolve("bills").toString());
        var builder = new ProcessBuilder(Deploy.program().toString(), "run", "--config", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new PodProcess(address, builder.start());
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    String address() {
        return address;
    }

    /** Whether its readiness probe succeeds. */
    boolean isReady() {
        return ops("/readyz")
                .map(HttpResponse::statusCode)
                .filter(status -> status == OK)
                .isPresent();
    }

    /** The value of a series among its metrics; 0 if there is none. */
    double metric(String series) {
        return ops("/metrics").map(HttpResponse::body).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** The reply of its ops listener; empty while that is not open yet. */
    private Optional<HttpResponse<String>> ops(String path) {
        if (!process.isAlive()) {
            throw new IllegalStateException("the process at " + address + " has ended");
        }
        var request = HttpRequest.newBuilder(URI.create("http://" + address + ":9100" + path))
                .timeout(ANSWER_MAX)
                .build();
        try {
            return Optional.of(http.send(request, BodyHandlers.ofString()));
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Sends a call of kube-scheduler to the extender. */
    void extend(String path, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://" + address + ":10297" + path))
                .timeout(EXTENDER_MAX)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            http.send(request, BodyHandlers.discarding());
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops it as the kubelet stops a pod; returns whether it ended in time, with status 0. */
    boolean stop() {
        return stop(process);
    }

    /** The same for any process of a pod. */
    static boolean stop(Process process) {
        process.destroy();
        try {
            return process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }
}
