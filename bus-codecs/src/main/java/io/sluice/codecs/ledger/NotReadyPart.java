package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.time.Duration;

/** The part of the ledger's replies about a node that is not ready: cause u8, retryAfter duration. */
record NotReadyPart(NotReadyCause cause, Duration retryAfter) {
    static NotReadyPart read(WireReader in) {
        return new NotReadyPart(in.constant(EnumNumbers.NOT_READY_CAUSE), in.duration());
    }

    void write(WireWriter out) {
        out.constant(EnumNumbers.NOT_READY_CAUSE, cause).duration(retryAfter);
    }
}
