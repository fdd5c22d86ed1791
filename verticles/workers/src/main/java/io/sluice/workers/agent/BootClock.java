package io.sluice.workers.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The time since the machine's start. Unlike the JVM's clocks it goes on while the machine is suspended, and it is the
 * one that the guards of instances read.
 */
final class BootClock {
    static final Path UPTIME = Path.of("/proc/uptime");

    private BootClock() {}

    static Duration now() {
        try {
            var text = Files.readString(UPTIME);
            var seconds = text.substring(0, text.indexOf(' '));
            int point = seconds.indexOf('.');
            long hundredths = Long.parseLong(seconds.substring(0, point) + seconds.substring(point + 1));
            return Duration.ofMillis(hundredths * 10);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** As guards read it. */
    static String hundredths(Duration time) {
        return Long.toString(time.toMillis() / 10);
    }
}
