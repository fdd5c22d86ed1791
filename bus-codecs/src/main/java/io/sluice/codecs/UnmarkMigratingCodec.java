package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.UnmarkMigrating;

/** v1: node, member texts. */
public final class UnmarkMigratingCodec extends WireCodec<UnmarkMigrating> {
    /** The codec. */
    public UnmarkMigratingCodec() {
        super("ledger.unmark-migrating", 1);
    }

    @Override
    protected void write(UnmarkMigrating message, WireWriter out) {
        out.text(message.node()).text(message.member());
    }

    @Override
    protected UnmarkMigrating read(int version, WireReader in) {
        return new UnmarkMigrating(in.text(), in.text());
    }
}
