package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.ConfirmHold;

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
