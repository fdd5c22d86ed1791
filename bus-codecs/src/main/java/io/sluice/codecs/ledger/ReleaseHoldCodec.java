package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: node, holder, attempt texts. */
public final class ReleaseHoldCodec extends WireCodec<ReleaseHold> {
    /** The codec. */
    public ReleaseHoldCodec() {
        super("ledger.release-hold", 2);
    }

    @Override
    protected void write(ReleaseHold message, WireWriter out) {
        out.text(message.node()).text(message.holder()).text(message.attempt());
    }

    @Override
    protected ReleaseHold read(int version, WireReader in) {
        return new ReleaseHold(in.text(), in.text(), in.text());
    }
}
