package io.sluice.launcher.client;

/** A request to a running process failed; the message is all that the user needs. */
public final class ConsoleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConsoleException(String message) {
        super(message);
    }

    ConsoleException(String message, Throwable cause) {
        super(message, cause);
    }
}
