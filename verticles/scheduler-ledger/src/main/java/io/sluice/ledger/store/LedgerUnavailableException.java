package io.sluice.ledger.store;

import java.util.Objects;

/** Nothing is answered for now; whoever asked may repeat the same question. */
public final class LedgerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String CROWDED = "crowded";

    private final String word;

    /**
     * For a reason of that kind.
     *
     * @param word the kind, for a metric
     * @param sentence for people
     */
    public LedgerUnavailableException(String word, String sentence) {
        super(sentence, null, false, false);
        this.word = Objects.requireNonNull(word, "word");
    }

    /** Too much waits here, or has waited too long. */
    public static LedgerUnavailableException crowded(String sentence) {
        return new LedgerUnavailableException(CROWDED, sentence);
    }

    /** The kind of reason, for a metric. */
    public String word() {
        return word;
    }
}
