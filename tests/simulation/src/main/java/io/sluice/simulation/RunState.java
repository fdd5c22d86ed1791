package io.sluice.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * Progress of a long run: all seeds from the first to the one before the next were played.
 *
 * @param firstSeed the first seed
 * @param nextSeed the first seed that was not played
 * @param events number of events of all of them
 * @param failures number of histories that broke
 * @param seconds how long they took
 */
record RunState(long firstSeed, long nextSeed, long events, long failures, long seconds) {
    private static final int FIELDS = 5;

    static RunState beginning(long firstSeed) {
        return new RunState(firstSeed, firstSeed, 0, 0, 0);
    }

    /** Reads the stored progress; empty if there is none. */
    static Optional<RunState> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        var fields = Files.readString(file).trim().split(" ");
        if (fields.length != FIELDS) {
            throw new IOException(file + " should hold " + FIELDS + " numbers: remove it to start anew");
        }
        var numbers = List.of(fields).stream().map(Long::parseLong).toList();
        return Optional.of(
                new RunState(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), numbers.get(4)));
    }

    void write(Path file) throws IOException {
        var next = file.resolveSibling(file.getFileName() + ".next");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(next, firstSeed + " " + nextSeed + " " + events + " " + failures + " " + seconds + "\n");
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    String summary() {
        return "events: " + events + "\nseeds: " + firstSeed + ".." + (nextSeed - 1) + "\nfailures: " + failures;
    }
}
