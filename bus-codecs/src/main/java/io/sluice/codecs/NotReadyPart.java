package io.sluice.codecs;

import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.NotReadyCause;
import java.time.Duration;

/** What the ledger's answers say of a node that is not ready: cause u8, retryAfter duration. */
record NotReadyPart(NotReadyCause cause, Duration retryAfter) {
    static NotReadyPart read(WireReader in) {
        return new NotReadyPart(in.constant(EnumNumbers.NOT_READY_CAUSE), in.duration());
    }

    void write(WireWriter out) {
        out.constant(EnumNumbers.NOT_READY_CAUSE, cause).duration(retryAfter);
    }
}
