package io.sluice.ledger.clustered;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.sluice.ledger.store.LedgerUnavailableException;
import java.io.IOException;
import java.util.Locale;

/**
 * Why a member runs no commands now.
 *
 * @param cause the kind of reason, for a metric
 * @param sentence for people
 */
record GrantRefusal(Cause cause, String sentence) {
    private static final int SENTENCE_MAX = 1_000;

    /** The kinds of reasons. */
    enum Cause {
        /** Too few of the others were heard lately. */
        NO_MAJORITY(1),
        /** A copy of the node's books has no member to be on yet. */
        COPY_MISSING(2),
        /** Members were told different numbers of ledgers, or different rules. */
        DISAGREEMENT(3),
        /** More members keep books than there are to be. */
        TOO_MANY(4),
        /** The member is not the node's owner, by its own sight, or stops. */
        NOT_OWNER(5);

        private final int number;

        Cause(int number) {
            this.number = number;
        }

        /** As it stands in metrics. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it may be over before whoever asked gives up: members come and go, what they were told stays. */
    boolean mayPassSoon() {
        return cause != Cause.DISAGREEMENT && cause != Cause.TOO_MANY;
    }

    LedgerUnavailableException exception() {
        return new LedgerUnavailableException(cause.word(), sentence);
    }

    void write(ObjectDataOutput out) throws IOException {
        out.writeByte(cause.number);
        out.writeString(sentence.substring(0, Math.min(sentence.length(), SENTENCE_MAX)));
    }

    static GrantRefusal read(ObjectDataInput in) throws IOException {
        int number = in.readByte();
        for (var cause : Cause.values()) {
            if (cause.number == number) {
                return new GrantRefusal(cause, in.readString());
            }
        }
        throw new IOException("ledger.batch-reply: no refusal has the number " + number);
    }
}
