package io.sluice.launcher;

import io.sluice.shell.LogKeys;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops everything that was started, the last first. */
final class ShutdownSequence {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

    private final Deque<Stop> stops = new ArrayDeque<>();

    private record Stop(String what, Stopping action) {}

    /** Stops one thing. */
    interface Stopping {
        void within(Duration atMost) throws StartException;
    }

    void push(String what, Stopping action) {
        stops.push(new Stop(what, action));
    }

    /** Stops everything within a bound; returns whether all of it stopped. */
    boolean all(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean clean = true;
        while (!stops.isEmpty()) {
            var next = stops.pop();
            var left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            try {
                next.action().within(left);
            } catch (StartException failed) {
                clean = false;
                LOG.atWarn().addKeyValue(LogKeys.ERROR, failed.getMessage()).log(next.what() + " did not stop.");
            }
        }
        LOG.atInfo().log("Stopped.");
        return clean;
    }
}
