package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.LoadReply;
import java.util.Optional;

/** v1: members, recovered i32. v2 adds: newer i64?. */
public final class LoadReplyCodec extends WireCodec<LoadReply> {
    /** The codec. */
    public LoadReplyCodec() {
        super("ledger.load-reply", 2);
    }

    @Override
    protected void write(LoadReply message, WireWriter out) {
        out.i32(message.members()).i32(message.recovered()).optional(message.newer(), WireWriter::i64);
    }

    @Override
    protected LoadReply read(int version, WireReader in) {
        return new LoadReply(in.i32(), in.i32(), version < 2 ? Optional.empty() : in.optional(WireReader::i64));
    }
}
