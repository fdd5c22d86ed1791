package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (kept) remaining duration; for 2 (ended) nothing; for 3 (of another) pod text; for 4 (too
 * large) nothing; for 5 (not ready) cause u8.
 */
public final class KeepReplyCodec extends WireCodec<KeepReply> {
    private static final int KEPT = 1;
    private static final int ENDED = 2;
    private static final int OF_ANOTHER = 3;
    private static final int TOO_LARGE = 4;
    private static final int NOT_READY = 5;

    /** The codec. */
    public KeepReplyCodec() {
        super("ledger.keep-reply", 1);
    }

    @Override
    protected void write(KeepReply message, WireWriter out) {
        switch (message) {
            case KeepReply.Kept(var remaining) -> out.u8(KEPT).duration(remaining);
            case KeepReply.Ended() -> out.u8(ENDED);
            case KeepReply.OfAnother(var pod) -> out.u8(OF_ANOTHER).text(pod);
            case KeepReply.TooLarge() -> out.u8(TOO_LARGE);
            case KeepReply.NotReady(var cause) -> out.u8(NOT_READY).constant(EnumNumbers.NOT_READY_CAUSE, cause);
        }
    }

    @Override
    protected KeepReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case KEPT -> new KeepReply.Kept(in.duration());
            case ENDED -> new KeepReply.Ended();
            case OF_ANOTHER -> new KeepReply.OfAnother(in.text());
            case TOO_LARGE -> new KeepReply.TooLarge();
            case NOT_READY -> new KeepReply.NotReady(in.constant(EnumNumbers.NOT_READY_CAUSE));
            default -> throw in.unknownTag(tag);
        };
    }
}
