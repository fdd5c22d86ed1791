package io.sluice.launcher;

/** Something could not be started; the message is the one sentence that the user gets. */
final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
