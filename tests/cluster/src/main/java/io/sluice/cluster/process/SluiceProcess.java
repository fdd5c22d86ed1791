package io.sluice.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** One process, as the distribution starts it; it is controlled by signals. */
public class SluiceProcess {
    private static final HttpClient PROBES =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Duration PROBE_MAX = Duration.ofSeconds(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(25);
    private static final String TOKEN = "a-token-of-the-cluster-tests";
    private static final String OPTIONS = "SLUICE_JAVA_OPTS";
    private static final String OF_JVM = "-Xmx256m " + System.getProperty("cluster.jvm", "-XX:TieredStopAtLevel=4");
    private static final String NO_ANSWER = "no reply";

    private final Place place;
    private final Path distribution;
    private final Path folder;
    private final Path config;
    private final Supplier<Map<String, String>> environment;
    private Process process;
    private boolean frozen;

    /**
     * Prepares a process without starting it.
     *
     * @param yaml its config, given the file with the token of its listeners
     * @param environment variables at each start, in addition to those of this process
     */
    public SluiceProcess(
            Place place,
            UnaryOperator<String> yaml,
            Supplier<Map<String, String>> environment,
            Path distribution,
            Path folder) {
        this.place = place;
        this.environment = environment;
        this.distribution = distribution;
        this.folder = of(folder, place);
        config = this.folder.resolve("config.yaml");
        try {
            Files.createDirectories(this.folder);
            var token = Files.writeString(this.folder.resolve("token"), TOKEN + "\n");
            Files.writeString(config, yaml.apply(token.toString()));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** The subfolder of such a process. */
    static Path of(Path folder, Place place) {
        return folder.resolve("member-" + place.number());
    }

    public final Place place() {
        return place;
    }

    /** Its log file, over all its starts. */
    public final Path log() {
        return folder.resolve("log");
    }

    public final Path folder() {
        return folder;
    }

    public final void start() {
        if (isAlive()) {
            throw new IllegalStateException(place + " is already running");
        }
        var command = new ArrayList<>(place.prefix());
        command.addAll(List.of(distribution.resolve("bin").resolve("sluice").toString(), "run"));
        command.addAll(List.of("--config", config.toString()));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().put(OPTIONS, OF_JVM);
        builder.environment()
                .put("SLUICE_BILLING_DIRECTORY", folder.resolve("billing").toString());
        builder.environment()
                .put("SLUICE_BILLING_FILE_DIRECTORY", folder.resolve("bills").toString());
        builder.environment().putAll(environment.get());
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public final boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** {@code kill -9}: the kernel closes its sockets, and it does nothing else. */
    public final void kill() {
        process.destroyForcibly();
        await();
    }

    /** SIGTERM; returns when it has ended. */
    public final void stop() {
        process.destroy();
        await();
    }

    /** SIGTERM; returns at once. */
    public final void requestToStop() {
        process.destroy();
    }

    private void await() {
        try {
            if (!process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(place + " did not end within " + STOP_MAX.toSeconds() + " s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Freezes it with SIGSTOP; its sockets stay open. */
    public final void freeze() {
        signal("-STOP");
        frozen = true;
    }

    /** Continues it with SIGCONT; does nothing if it is not frozen. */
    public final void thaw() {
        if (frozen && isAlive()) {
            signal("-CONT");
        }
        frozen = false;
    }

    private void signal(String name) {
        Command.run("kill", name, Long.toString(process.pid()));
    }

    /** Its exit status; empty while it runs. */
    public final OptionalInt status() {
        return process == null || process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** Ends it in any state. */
    public final void discard() {
        if (isAlive()) {
            process.destroyForcibly();
            await();
        }
    }

    /** Whether its roles have started, ready or not. */
    public final boolean hasJoined() {
        var reported = readiness();
        return !reported.equals(NO_ANSWER) && !reported.contains("launcher:");
    }

    public final boolean isReady() {
        return isAlive() && readiness().startsWith("ok");
    }

    /** Its readiness: {@code ok}, or what it waits for. */
    public final String readiness() {
        return probe("/readyz?verbose");
    }

    /** Its metrics in the format of Prometheus. */
    public final String metrics() {
        return probe("/metrics");
    }

    private String probe(String path) {
        var uri = URI.create("http://" + place.host() + ":" + place.opsPort() + path);
        var request = HttpRequest.newBuilder(uri)
                .timeout(PROBE_MAX)
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        try {
            return PROBES.send(request, BodyHandlers.ofString()).body();
        } catch (IOException silent) {
            return NO_ANSWER;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return NO_ANSWER;
        }
    }

    @Override
    public final String toString() {
        return place.toString();
    }
}
