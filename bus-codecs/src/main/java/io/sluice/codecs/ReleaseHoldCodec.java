package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.ReleaseHold;

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
