package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.LoadReply;

/** v1: members, recovered i32. */
public final class LoadReplyCodec extends WireCodec<LoadReply> {
    /** The codec. */
    public LoadReplyCodec() {
        super("ledger.load-reply", 1);
    }

    @Override
    protected void write(LoadReply message, WireWriter out) {
        out.i32(message.members()).i32(message.recovered());
    }

    @Override
    protected LoadReply read(int version, WireReader in) {
        return new LoadReply(in.i32(), in.i32());
    }
}
