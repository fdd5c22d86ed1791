package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.Reclaim;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: node, pod texts, amounts resources. v2: session i64; without it, any. */
public final class ReclaimCodec extends WireCodec<Reclaim> {
    /** The codec. */
    public ReclaimCodec() {
        super("ledger.reclaim", 1, 2);
    }

    @Override
    protected void write(Reclaim message, WireWriter out) {
        out.text(message.node())
                .text(message.pod())
                .resources(message.amounts())
                .i64(message.session());
    }

    @Override
    protected Reclaim read(int version, WireReader in) {
        return new Reclaim(in.text(), in.text(), in.resources(), version >= 2 ? in.i64() : Reclaim.ANY_SESSION);
    }
}
