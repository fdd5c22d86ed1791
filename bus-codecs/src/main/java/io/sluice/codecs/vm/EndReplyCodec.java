package io.sluice.codecs.vm;

import io.sluice.messages.vm.EndReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: tag u8, then for 1 (ended) nothing; for 2 (failed) reason text. */
public final class EndReplyCodec extends WireCodec<EndReply> {
    private static final int ENDED = 1;
    private static final int FAILED = 2;

    /** The codec. */
    public EndReplyCodec() {
        super("vm.end-reply", 1);
    }

    @Override
    protected void write(EndReply message, WireWriter out) {
        switch (message) {
            case EndReply.Ended() -> out.u8(ENDED);
            case EndReply.Failed(var reason) -> out.u8(FAILED).text(reason);
        }
    }

    @Override
    protected EndReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case ENDED -> new EndReply.Ended();
            case FAILED -> new EndReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
