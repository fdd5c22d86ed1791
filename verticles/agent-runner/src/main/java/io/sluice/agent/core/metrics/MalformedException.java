package io.sluice.agent.core.metrics;

/** A text is no good; never leaves this package. */
final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Flaw flaw;

    MalformedException(Flaw flaw, String message) {
        super(message, null, false, false);
        this.flaw = flaw;
    }

    Flaw flaw() {
        return flaw;
    }
}
