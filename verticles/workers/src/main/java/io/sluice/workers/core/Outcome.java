package io.sluice.workers.core;

/**
 * The reply to a request of a controller.
 *
 * @param reason in words, with numbers; empty for what was accepted
 * @param generation of the instance; 0 where there is none
 */
public record Outcome(Code code, String reason, long generation) {
    /** Accepted, and of no instance. */
    static final Outcome DONE = new Outcome(Code.ACCEPTED, "", 0);

    /** How a request was answered. */
    public enum Code {
        ACCEPTED,
        ALREADY_EXISTS,
        NOT_FOUND,
        NEVER_FITS,
        NO_ROOM,
        TOO_MANY,
        UNAUTHENTICATED,
        PERMISSION_DENIED
    }

    static Outcome accepted(Instance instance) {
        return new Outcome(Code.ACCEPTED, "", instance.numbers().generation());
    }

    static Outcome refused(Code code, String reason) {
        return new Outcome(code, reason, 0);
    }
}
