package io.sluice.kills;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One life of the billing process. */
final class Victim {
    /** The line that it prints when it receives messages. */
    static final String LISTENS = "listens";

    private static final long START_MAX_S = 90;
    private static final long STOP_MAX_S = 120;

    private final Process process;
    private final Path log;
    private final CountDownLatch listens = new CountDownLatch(1);

    private Victim(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param classPath a class path of jars only */
    static Victim start(String classPath, BillingProcess.Orders orders) throws IOException {
        var log = orders.folder().resolve("log");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                orders.ports().isEmpty() ? "-Xmx96m" : "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // The first life archives its classes; later lives map them and start in half the time.
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + orders.folder().resolve("classes.jsa"),
                "-Xlog:disable",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                BillingProcess.class.getName()));
        command.addAll(List.of(orders.words()));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        var victim = new Victim(process, log);
        Thread.ofVirtual().start(victim::receive);
        return victim;
    }

    private void receive() {
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(LISTENS)) {
                    listens.countDown();
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Waits until the process receives observations. */
    Victim listening() throws IOException, InterruptedException {
        if (!listens.await(START_MAX_S, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("it is not ready after " + START_MAX_S + " s:\n" + reported());
        }
        return this;
    }

    /** Waits that long. */
    Victim lives(long ms) throws IOException, InterruptedException {
        if (process.waitFor(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    "it ended by itself, with status " + process.exitValue() + ":\n" + reported());
        }
        return this;
    }

    /** Sends {@code kill -9}. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** Sends SIGTERM, and {@code kill -9} after that time if the process has not ended. */
    void killWhileItStops(long ms) throws InterruptedException {
        process.toHandle().destroy();
        process.waitFor(ms, TimeUnit.MILLISECONDS);
        kill();
    }

    /** Sends SIGTERM, and returns when the process has ended. */
    void stop() throws IOException, InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(STOP_MAX_S, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("it did not stop within " + STOP_MAX_S + " s:\n" + reported());
        }
    }

    private String reported() throws IOException {
        return Files.readString(log);
    }
}
