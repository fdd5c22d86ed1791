package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.SettleReply;

/**
 * v1: tag u8, then for 1 (settled) reserved resources; for 2 (not recovered) nothing; for 3 (too early) retryAfter
 * duration.
 */
public final class SettleReplyCodec extends WireCodec<SettleReply> {
    private static final int SETTLED = 1;
    private static final int NOT_RECOVERED = 2;
    private static final int TOO_EARLY = 3;

    /** The codec. */
    public SettleReplyCodec() {
        super("ledger.settle-reply", 1);
    }

    @Override
    protected void write(SettleReply message, WireWriter out) {
        switch (message) {
            case SettleReply.Settled(var reserved) -> out.u8(SETTLED).resources(reserved);
            case SettleReply.NotRecovered() -> out.u8(NOT_RECOVERED);
            case SettleReply.TooEarly(var retryAfter) -> out.u8(TOO_EARLY).duration(retryAfter);
        }
    }

    @Override
    protected SettleReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case SETTLED -> new SettleReply.Settled(in.resources());
            case NOT_RECOVERED -> new SettleReply.NotRecovered();
            case TOO_EARLY -> new SettleReply.TooEarly(in.duration());
            default -> throw in.unknownTag(tag);
        };
    }
}
