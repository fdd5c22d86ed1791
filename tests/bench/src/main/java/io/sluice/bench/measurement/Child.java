package io.sluice.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another JVM with the same class path; its output lines that begin with {@link #MARK} are messages to the parent. */
public final class Child implements AutoCloseable {
    /** The options of a JVM with roles, as {@code sluice run} has them; they are read from the module's folder. */
    public static final List<String> DISTRIBUTION =
            List.of("@" + Path.of("../../verticles/launcher/src/main/dist/jvm.options"), "-Xmx1g");

    /** The prefix of messages to the parent; all other output is its log. */
    static final String MARK = "bench: ";

    private static final BufferedReader ORDERS =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private final Process process;
    private final Path log;
    private final BufferedReader out;

    private Child(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts it. It ends when its standard input does.
     *
     * @param options options of the JVM
     */
    public static Child start(Class<?> main, List<String> options, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var log = Files.createTempFile("sluice-bench-", ".log");
        return new Child(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    }

    /** Sends a line to the parent. */
    public static void report(String line) {
        System.out.println(MARK + line);
        System.out.flush();
    }

    /** Waits until the parent ends. */
    public static void untilParentLeaves() throws IOException {
        while (System.in.read() >= 0) {
            // Input is ignored; only its end counts.
        }
    }

    /** In the other JVM: the parent's next order; empty once the parent has ended. */
    public static Optional<String> order() throws IOException {
        return Optional.ofNullable(ORDERS.readLine());
    }

    /** Sends an order to the other JVM. */
    public void order(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** The next message to the parent. */
    public String next() {
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(MARK)) {
                    return line.substring(MARK.length());
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        throw new IllegalStateException("the other process ended; see " + log);
    }

    /** CPU time that it has used so far, in seconds. */
    public double cpuSeconds() {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        Files.deleteIfExists(log);
    }
}
