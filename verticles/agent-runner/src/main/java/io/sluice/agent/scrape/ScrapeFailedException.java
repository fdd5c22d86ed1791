package io.sluice.agent.scrape;

/** A scrape brought no text. */
final class ScrapeFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ScrapeOutcome outcome;

    /** Without a stack trace: it is an ordinary outcome, and there may be thousands at once. */
    ScrapeFailedException(ScrapeOutcome outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    ScrapeOutcome outcome() {
        return outcome;
    }
}
