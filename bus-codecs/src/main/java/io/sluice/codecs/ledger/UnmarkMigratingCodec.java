package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: node, pod, attempt texts. */
public final class UnmarkMigratingCodec extends WireCodec<UnmarkMigrating> {
    /** The codec. */
    public UnmarkMigratingCodec() {
        super("ledger.unmark-migrating", 2);
    }

    @Override
    protected void write(UnmarkMigrating message, WireWriter out) {
        out.text(message.node()).text(message.pod()).text(message.attempt());
    }

    @Override
    protected UnmarkMigrating read(int version, WireReader in) {
        return new UnmarkMigrating(in.text(), in.text(), in.text());
    }
}
