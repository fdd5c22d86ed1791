package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.ConfirmHold;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: node, holder texts. */
public final class ConfirmHoldCodec extends WireCodec<ConfirmHold> {
    /** The codec. */
    public ConfirmHoldCodec() {
        super("ledger.confirm-hold", 1);
    }

    @Override
    protected void write(ConfirmHold message, WireWriter out) {
        out.text(message.node()).text(message.holder());
    }

    @Override
    protected ConfirmHold read(int version, WireReader in) {
        return new ConfirmHold(in.text(), in.text());
    }
}
