package io.sluice.vectors;

/** A recording cannot be played; the message names the file and line. */
public final class MalformedRecordingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Describes the error in a sentence that names the place. */
    public MalformedRecordingException(String message) {
        super(message);
    }

    MalformedRecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}
