package io.sluice.agent.scheduler;

/**
 * No response came that a runner can use; the message has the reason. Without a stack trace, as it is made often when a
 * scheduler is gone.
 */
final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoAnswerException(String reason) {
        super(reason, null, false, false);
    }
}
