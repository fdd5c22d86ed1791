package io.sluice.pods.node;

import io.sluice.shell.LogKeys;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits in one thread for what the kernel reports about files: that tasks of a control group have waited for too long,
 * by pressure stall information, and that a file has changed, by inotify. Nothing is polled. Safe from any thread.
 */
final class KernelEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KernelEvents.class);
    private static final int EVENTS_MAX = 64;
    private static final int BYTES_MAX = 64 << 10;
    private static final int HEAD_BYTES = 16;
    private static final int LENGTH_AT = 12;
    private static final int OVERFLOW = -1;
    private static final int FILES = 0;
    private static final int END = 1;

    /** More than pods of one node have: five files each, and two of each container. */
    private static final int WATCHES_MAX = 8_192;

    private final int poll;
    private final int inotify;
    private final int end;
    private final AtomicInteger lastToken = new AtomicInteger(END);
    private final Map<Integer, Pressure> pressures = new ConcurrentHashMap<>();
    private final Map<Integer, Runnable> files = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile Optional<String> fault = Optional.empty();

    private record Pressure(int descriptor, Runnable reported) {}

    /** Something that is watched until it is closed. */
    interface Watched extends AutoCloseable {
        @Override
        void close();
    }

    /** Begins; fails where the kernel does not have what is needed. */
    KernelEvents() throws IOException {
        poll = KernelCalls.poll();
        inotify = KernelCalls.inotify();
        end = KernelCalls.eventCounter();
        KernelCalls.addToPoll(poll, inotify, KernelCalls.POLL_IN, FILES);
        KernelCalls.addToPoll(poll, end, KernelCalls.POLL_IN, END);
        thread = Thread.ofPlatform().name("kernel-events").daemon().start(this::run);
    }

    /**
     * Has the kernel report when tasks wait.
     *
     * @param file such as {@code cpu.pressure}; it must be writable
     * @param trigger such as {@code some 200000 2000000}
     * @param reported runs in the thread of all reports, and must be short
     * @throws IOException with the kernel's words
     */
    Watched pressure(Path file, String trigger, Runnable reported) throws IOException {
        requireRoom();
        var pressure =
                new Pressure(KernelCalls.open(file, KernelCalls.OPEN_READ_WRITE | KernelCalls.NOT_BLOCKING), reported);
        // Numbers of descriptors are given again, and a report of an earlier one may still be under way.
        int token = lastToken.incrementAndGet();
        pressures.put(token, pressure);
        try {
            KernelCalls.write(pressure.descriptor(), (trigger + "\0").getBytes(StandardCharsets.US_ASCII));
            KernelCalls.addToPoll(poll, pressure.descriptor(), KernelCalls.POLL_PRIORITY, token);
        } catch (IOException refused) {
            closePressure(token);
            throw refused;
        }
        return () -> closePressure(token);
    }

    private void closePressure(int token) {
        Optional.ofNullable(pressures.remove(token)).ifPresent(pressure -> closeQuietly(pressure.descriptor()));
    }

    /**
     * Reports when a file was written to, or when the kernel changed it.
     *
     * @param reported as in {@link #pressure}
     * @throws IOException with the kernel's words
     */
    Watched changes(Path file, Runnable reported) throws IOException {
        requireRoom();
        int watch = KernelCalls.addWatch(inotify, file);
        files.put(watch, reported);
        return () -> {
            if (files.remove(watch, reported)) {
                try {
                    KernelCalls.removeWatch(inotify, watch);
                } catch (IOException gone) {
                    LOG.debug("A watch has ended with its file.");
                }
            }
        };
    }

    private void requireRoom() throws IOException {
        if (pressures.size() + files.size() >= WATCHES_MAX) {
            throw new IOException("more than " + WATCHES_MAX + " files would be watched");
        }
    }

    private void run() {
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocate(BYTES_MAX, Long.BYTES);
            while (true) {
                for (var ready : KernelCalls.await(poll, EVENTS_MAX)) {
                    switch (ready.token()) {
                        case END -> {
                            return;
                        }
                        case FILES -> changed(bytes);
                        default -> waited(ready);
                    }
                }
            }
        } catch (IOException failed) {
            fault = Optional.of("the kernel's reports cannot be received any more: " + failed.getMessage());
            LOG.atError()
                    .addKeyValue(LogKeys.ERROR, failed.getMessage())
                    .log("The kernel's reports cannot be received any more.");
        }
    }

    private void waited(KernelCalls.Ready ready) {
        if ((ready.events() & KernelCalls.POLL_ERROR) != 0) {
            // The control group is gone, and would be reported for ever.
            closePressure(ready.token());
        } else {
            Optional.ofNullable(pressures.get(ready.token()))
                    .ifPresent(pressure -> pressure.reported().run());
        }
    }

    private void changed(MemorySegment bytes) throws IOException {
        int count = KernelCalls.read(inotify, bytes);
        for (long at = 0; at < count; ) {
            int watch = bytes.get(ValueLayout.JAVA_INT, at);
            if (watch == OVERFLOW) {
                files.values().forEach(Runnable::run);
            } else {
                Optional.ofNullable(files.get(watch)).ifPresent(Runnable::run);
            }
            at += HEAD_BYTES + bytes.get(ValueLayout.JAVA_INT, at + LENGTH_AT);
        }
    }

    private static void closeQuietly(int descriptor) {
        try {
            KernelCalls.close(descriptor);
        } catch (IOException gone) {
            LOG.debug("A descriptor could not be closed.");
        }
    }

    /** Why nothing is reported any more, in words; empty while it is. */
    Optional<String> fault() {
        return fault;
    }

    /** Ends all watches, and the thread. */
    @Override
    public void close() throws IOException {
        KernelCalls.write(end, new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return;
        }
        Map.copyOf(pressures).keySet().forEach(this::closePressure);
        closeQuietly(inotify);
        closeQuietly(end);
        closeQuietly(poll);
    }
}
