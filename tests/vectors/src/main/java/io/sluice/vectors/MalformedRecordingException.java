package io.sluice.vectors;

/** A recording that cannot be played, with the file and line where that shows. */
public final class MalformedRecordingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong, in a sentence that names the place. */
    public MalformedRecordingException(String message) {
        super(message);
    }

    MalformedRecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}
