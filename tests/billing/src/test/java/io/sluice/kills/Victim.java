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

/** One life of the process that bills. */
final class Victim {
    /** What it prints once it listens. */
    static final String LISTENS = "listens";

    private static final long START_MAX_S = 30;
    private static final long STOP_MAX_S = 30;

    private final Process process;
    private final Path log;
    private final CountDownLatch listens = new CountDownLatch(1);

    private Victim(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param classPath of jars alone */
    static Victim start(String classPath, BillingProcess.Orders orders) throws IOException {
        var log = orders.folder().resolve("log");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // The classes that the first life loaded are mapped by those after it, which start in half the time.
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
        Thread.ofVirtual().start(victim::hear);
        return victim;
    }

    private void hear() {
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

    /** Waits until it is told of VMs. */
    Victim listening() throws IOException, InterruptedException {
        if (!listens.await(START_MAX_S, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("it does not listen after " + START_MAX_S + " s:\n" + said());
        }
        return this;
    }

    /** Waits that long. */
    Victim lives(long ms) throws IOException, InterruptedException {
        if (process.waitFor(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("it ended by itself, with status " + process.exitValue() + ":\n" + said());
        }
        return this;
    }

    /** {@code kill -9}. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM, and {@code kill -9} soon after, if it has not ended by then. */
    void killWhileItStops(long ms) throws InterruptedException {
        process.toHandle().destroy();
        process.waitFor(ms, TimeUnit.MILLISECONDS);
        kill();
    }

    /** SIGTERM; returns when it has ended. */
    void stop() throws IOException, InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(STOP_MAX_S, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("it did not stop within " + STOP_MAX_S + " s:\n" + said());
        }
    }

    private String said() throws IOException {
        return Files.readString(log);
    }
}
