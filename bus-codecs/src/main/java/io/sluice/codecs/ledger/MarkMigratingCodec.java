package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: node, pod texts, cause u8, room resources, attempt text. */
public final class MarkMigratingCodec extends WireCodec<MarkMigrating> {
    /** The codec. */
    public MarkMigratingCodec() {
        super("ledger.mark-migrating", 2);
    }

    @Override
    protected void write(MarkMigrating message, WireWriter out) {
        out.text(message.node())
                .text(message.pod())
                .constant(EnumNumbers.MARK_CAUSE, message.cause())
                .resources(message.room())
                .text(message.attempt());
    }

    @Override
    protected MarkMigrating read(int version, WireReader in) {
        return new MarkMigrating(in.text(), in.text(), in.constant(EnumNumbers.MARK_CAUSE), in.resources(), in.text());
    }
}
