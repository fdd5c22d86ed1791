package io.sluice.agent.scheduler;

/** No answer came that a runner can use; the message says why. Made often when a scheduler is gone: without a trace. */
final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoAnswerException(String reason) {
        super(reason, null, false, false);
    }
}
