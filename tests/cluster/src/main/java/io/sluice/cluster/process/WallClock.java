package io.sluice.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The wall clock of a process; its monotonic clock is always right. */
public enum WallClock {
    /** Right. */
    RIGHT,
    /** Ten seconds ahead from its start. */
    AHEAD,
    /** Right at its start; it jumps when a file is written. */
    JUMPY;

    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    /** Why a wrong clock is not possible on this machine; empty if it is. */
    static Optional<String> unavailable() {
        return library().isPresent() ? Optional.empty() : Optional.of("libfaketime (faketime) is not installed");
    }

    private static Optional<Path> library() {
        return LIBRARIES.stream().filter(Files::exists).findFirst();
    }

    /** The environment variables of the process for it. */
    Map<String, String> environment(Path folder) {
        if (this == RIGHT) {
            return Map.of();
        }
        var environment = new HashMap<>(Map.of(
                "LD_PRELOAD",
                library().orElseThrow().toString(),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Otherwise libfaketime also subtracts the offset from waits by the monotonic clock, which then end at
                // once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0"));
        if (this == AHEAD) {
            environment.put("FAKETIME", "+10s");
        } else {
            jump(folder, 0);
            environment.put("FAKETIME_NO_CACHE", "1");
            environment.put("FAKETIME_TIMESTAMP_FILE", file(folder).toString());
        }
        return environment;
    }

    private static Path file(Path folder) {
        return folder.resolve("clock");
    }

    /** Changes the wall clock of the process with that folder. */
    public static void jump(Path folder, int seconds) {
        try {
            Files.writeString(file(folder), "%+ds%n".formatted(seconds));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
