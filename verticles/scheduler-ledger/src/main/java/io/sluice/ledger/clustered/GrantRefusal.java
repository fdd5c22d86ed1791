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
 * @param sentence the reason as text for operators
 */
record GrantRefusal(Cause cause, String sentence) {
    private static final int SENTENCE_MAX = 1_000;

    /** The kinds of reasons. */
    enum Cause {
        /** Too few of the other members have replied lately. */
        NO_MAJORITY(1),
        /** A replica of the node ledger has no member yet. */
        COPY_MISSING(2),
        /** Members have a different number of ledger processes, or different rules. */
        DISAGREEMENT(3),
        /** There are more data members than configured. */
        TOO_MANY(4),
        /** By its own partition table the member does not own the node ledger, or it stops. */
        NOT_OWNER(5);

        private final int number;

        Cause(int number) {
            this.number = number;
        }

        /** The value of the metric's tag. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it may end while the client still waits: members come and go, their configuration stays. */
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
