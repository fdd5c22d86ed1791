package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.Reclaim;

/** v1: node, member texts, amounts resources. */
public final class ReclaimCodec extends WireCodec<Reclaim> {
    /** The codec. */
    public ReclaimCodec() {
        super("ledger.reclaim", 1);
    }

    @Override
    protected void write(Reclaim message, WireWriter out) {
        out.text(message.node()).text(message.member()).resources(message.amounts());
    }

    @Override
    protected Reclaim read(int version, WireReader in) {
        return new Reclaim(in.text(), in.text(), in.resources());
    }
}
