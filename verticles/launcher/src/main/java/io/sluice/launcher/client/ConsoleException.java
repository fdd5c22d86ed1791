package io.sluice.launcher.client;

/** What was asked of a running process could not be had; the message is all that a user needs to read. */
public final class ConsoleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConsoleException(String message) {
        super(message);
    }

    ConsoleException(String message, Throwable cause) {
        super(message, cause);
    }
}
