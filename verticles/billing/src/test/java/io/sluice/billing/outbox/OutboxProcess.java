package io.sluice.billing.outbox;

import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.shell.MonotonicClock;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * An outbox in a process of its own, which writes events with growing numbers and prints the number of each accepted
 * one.
 */
final class OutboxProcess implements AutoCloseable {
    static final QueueId QUEUE = new QueueId(EventKind.BILLING, "http");
    /** What the process prints when a write has failed. */
    static final long FAILED = -2;

    private static final String SOURCE = "process";
    private static final int BATCH = 200;

    private final Process process;
    private final BufferedReader out;

    private OutboxProcess(Process process) {
        this.process = process;
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the process with that heap. */
    static OutboxProcess start(
            Path directory, String heap, long events, int eventsAtOnce, Map<String, String> variables)
            throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(
                java,
                "-Xmx" + heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                OutboxProcess.class.getName(),
                directory.toString(),
                Long.toString(events),
                Integer.toString(eventsAtOnce));
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(variables);
        return new OutboxProcess(builder.start());
    }

    static OutboxSettings options() {
        var limit = new OutboxConfig(1L << 40, Duration.ofDays(7), OutboxConfig.Overflow.BLOCK);
        return new OutboxSettings(
                List.of(new QueueSpec(QUEUE, BatchForm.NDJSON, BATCH, (at, uuid) -> uuid, limit)),
                new MonotonicClock(),
                new Random());
    }

    /** The number of the last accepted event that was printed, or {@link #FAILED}; -1 at the end. */
    long nextAccepted() throws IOException {
        var line = out.readLine();
        return line == null ? -1 : Long.parseLong(line);
    }

    long lastAccepted(long sofar) throws IOException {
        long last = sofar;
        for (long next = nextAccepted(); next != -1; next = nextAccepted()) {
            last = Math.max(last, next);
        }
        return last;
    }

    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Kills the process; what it has printed can still be read. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Continues after the last event in the outbox. */
    public static void main(String[] arguments) throws IOException {
        long events = Long.parseLong(arguments[1]);
        int atOnce = Integer.parseInt(arguments[2]);
        try (var outbox = Outbox.open(Path.of(arguments[0]), options(), new ReceivedEvents())) {
            long offer = outbox.lastOffer(SOURCE);
            for (long number = offer * atOnce; number < events; number += atOnce) {
                offer++;
                var write = new OutboxWrite(SOURCE, offer, Map.of(QUEUE, some(number, atOnce)), Map.of());
                while (!accepted(outbox, write)) {
                    System.out.println(FAILED);
                    LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                }
                System.out.println(number + atOnce - 1);
            }
        }
    }

    private static boolean accepted(Outbox outbox, OutboxWrite write) {
        try {
            outbox.accept(write, Instant.now());
            return true;
        } catch (OutboxException failed) {
            return false;
        }
    }

    private static List<byte[]> some(long first, int count) {
        var some = new ArrayList<byte[]>();
        for (long number = first; number < first + count; number++) {
            some.add(("{\"number\":" + number
                            + ",\"metric\":\"effective_compute_seconds\",\"endpoint_id\":\"ep-demo-1\"}")
                    .getBytes(StandardCharsets.UTF_8));
        }
        return some;
    }
}
