package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.UnmarkMigrating;

/** v2: node, member, attempt texts. */
public final class UnmarkMigratingCodec extends WireCodec<UnmarkMigrating> {
    /** The codec. */
    public UnmarkMigratingCodec() {
        super("ledger.unmark-migrating", 2);
    }

    @Override
    protected void write(UnmarkMigrating message, WireWriter out) {
        out.text(message.node()).text(message.member()).text(message.attempt());
    }

    @Override
    protected UnmarkMigrating read(int version, WireReader in) {
        return new UnmarkMigrating(in.text(), in.text(), in.text());
    }
}
