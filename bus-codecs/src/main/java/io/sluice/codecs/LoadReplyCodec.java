package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.LoadReply;

/** v3: members, unsettled i32, relist i64?. */
public final class LoadReplyCodec extends WireCodec<LoadReply> {
    /** The codec. */
    public LoadReplyCodec() {
        super("ledger.load-reply", 3);
    }

    @Override
    protected void write(LoadReply message, WireWriter out) {
        out.i32(message.members()).i32(message.unsettled()).optional(message.relist(), WireWriter::i64);
    }

    @Override
    protected LoadReply read(int version, WireReader in) {
        return new LoadReply(in.i32(), in.i32(), in.optional(WireReader::i64));
    }
}
