package io.sluice.billing.sink.file;

import java.nio.file.Path;

/**
 * A line of a file of events that cannot be read as an event.
 *
 * @param file the file
 * @param line the line's number, from 1; 0 where the file itself cannot be read
 * @param why the cause as text
 */
public record BadLine(Path file, long line, String why) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + why;
    }
}
