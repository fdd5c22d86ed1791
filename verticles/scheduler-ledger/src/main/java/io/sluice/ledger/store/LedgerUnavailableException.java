package io.sluice.ledger.store;

import java.util.Objects;

/** The ledger cannot reply now; the sender may repeat the same request. */
public final class LedgerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String CROWDED = "crowded";

    private final String word;

    /**
     * Creates the exception for a kind of reason.
     *
     * @param word the kind, for a metric
     * @param sentence the reason as text for operators
     */
    public LedgerUnavailableException(String word, String sentence) {
        super(sentence, null, false, false);
        this.word = Objects.requireNonNull(word, "word");
    }

    /** Too many commands wait here, or one waited for too long. */
    public static LedgerUnavailableException crowded(String sentence) {
        return new LedgerUnavailableException(CROWDED, sentence);
    }

    /** The kind of reason, for a metric. */
    public String word() {
        return word;
    }
}
