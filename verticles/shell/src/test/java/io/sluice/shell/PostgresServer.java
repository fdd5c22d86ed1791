package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of PostgreSQL with an empty database, for as long as a test. A test without Debian's package is skipped. */
public final class PostgresServer implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final long SECONDS_MAX = 60;

    private final Path programs;
    private final Path directory;
    private final int port;
    private Process process;

    private PostgresServer(Path programs, Path directory, int port) {
        this.programs = programs;
        this.directory = directory;
        this.port = port;
    }

    /** Makes a database and starts its server. */
    public static PostgresServer start() throws Exception {
        assumeTrue(Files.isDirectory(VERSIONS), "Debian's package postgresql is not installed");
        Path programs;
        try (var versions = Files.list(VERSIONS)) {
            programs = versions.max(Comparator.naturalOrder()).orElseThrow().resolve("bin");
        }
        var directory = Files.createTempDirectory("postgres");
        var server = new PostgresServer(programs, directory, LoopbackPorts.next());
        if (server.isRoot()) {
            server.run("chown", "postgres", directory.toString());
        }
        server.run(server.asUser(
                "initdb",
                "--auth=trust",
                "--no-sync",
                "--username=sluice",
                "-D",
                server.data().toString()));
        server.resume();
        return server;
    }

    /** Of the database. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=sluice";
    }

    /**
     * Ends the server as a loss of power would, with the processes of its connections, which would go on for a while.
     */
    public void kill() {
        var all = process.descendants().toList();
        process.destroyForcibly().onExit().join();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }

    /** Starts it again, and waits until it serves. */
    public void resume() throws IOException, InterruptedException {
        process = new ProcessBuilder(asUser(
                        "postgres",
                        "-D",
                        data().toString(),
                        "-p",
                        Integer.toString(port),
                        "-k",
                        directory.toString(),
                        "-c",
                        "listen_addresses=127.0.0.1"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        var ready = asUser("pg_isready", "-q", "-h", "127.0.0.1", "-p", Integer.toString(port));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (new ProcessBuilder(ready).start().waitFor() != 0) {
            assertThat(System.nanoTime()).as(Files.readString(log().toPath())).isLessThan(end);
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private File log() {
        return Path.of(directory + ".log").toFile();
    }

    private boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** It refuses to run as root. */
    private List<String> asUser(String program, String... arguments) {
        var command = new ArrayList<String>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private void run(String... command) throws IOException, InterruptedException {
        run(List.of(command));
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        var run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        assertThat(run.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).as(Files.readString(log().toPath())).isZero();
    }

    @Override
    public void close() throws IOException {
        kill();
        // Its other processes end once they notice.
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(log().toPath());
    }
}
