package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.Settle;

/** v1: node, member texts, amounts resources. */
public final class SettleCodec extends WireCodec<Settle> {
    /** The codec. */
    public SettleCodec() {
        super("ledger.settle", 1);
    }

    @Override
    protected void write(Settle message, WireWriter out) {
        out.text(message.node()).text(message.member()).resources(message.amounts());
    }

    @Override
    protected Settle read(int version, WireReader in) {
        return new Settle(in.text(), in.text(), in.resources());
    }
}
