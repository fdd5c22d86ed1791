package io.sluice.billing.sink;

import java.nio.file.Path;

/**
 * A line of a file of events that is no event.
 *
 * @param file where it stands
 * @param line its number, from 1; 0 where the file itself could not be read
 * @param why in words
 */
public record BadLine(Path file, long line, String why) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + why;
    }
}
