package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.LoadReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v3: reservations, unsettled i32, relist i64?. */
public final class LoadReplyCodec extends WireCodec<LoadReply> {
    /** The codec. */
    public LoadReplyCodec() {
        super("ledger.load-reply", 3);
    }

    @Override
    protected void write(LoadReply message, WireWriter out) {
        out.i32(message.reservations()).i32(message.unsettled()).optional(message.relist(), WireWriter::i64);
    }

    @Override
    protected LoadReply read(int version, WireReader in) {
        return new LoadReply(in.i32(), in.i32(), in.optional(WireReader::i64));
    }
}
