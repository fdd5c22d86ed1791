package io.sluice.replay.read;

import java.nio.file.Path;

/** A line of a trace that is not what its format requires. */
public final class MalformedTraceException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedTraceException(Path file, long line, String why) {
        super(file + ", line " + line + ": " + why);
    }
}
