package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (reclaimed) reserved resources; for 2 (not recovered) nothing; for 3 (too early) retryAfter
 * duration.
 */
public final class ReclaimReplyCodec extends WireCodec<ReclaimReply> {
    private static final int RECLAIMED = 1;
    private static final int NOT_RECOVERED = 2;
    private static final int TOO_EARLY = 3;

    /** The codec. */
    public ReclaimReplyCodec() {
        super("ledger.reclaim-reply", 1);
    }

    @Override
    protected void write(ReclaimReply message, WireWriter out) {
        switch (message) {
            case ReclaimReply.Settled(var reserved) -> out.u8(RECLAIMED).resources(reserved);
            case ReclaimReply.NotRecovered() -> out.u8(NOT_RECOVERED);
            case ReclaimReply.TooEarly(var retryAfter) -> out.u8(TOO_EARLY).duration(retryAfter);
        }
    }

    @Override
    protected ReclaimReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case RECLAIMED -> new ReclaimReply.Settled(in.resources());
            case NOT_RECOVERED -> new ReclaimReply.NotRecovered();
            case TOO_EARLY -> new ReclaimReply.TooEarly(in.duration());
            default -> throw in.unknownTag(tag);
        };
    }
}
