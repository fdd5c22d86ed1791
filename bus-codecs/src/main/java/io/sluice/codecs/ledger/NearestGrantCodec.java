package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: sufficiency u8, list of (kind u8, node text, room resources, fixed amounts, pod, subject texts). */
public final class NearestGrantCodec extends WireCodec<NearestGrant> {
    /** The codec. */
    public NearestGrantCodec() {
        super("ledger.nearest-grant", 1);
    }

    @Override
    protected void write(NearestGrant message, WireWriter out) {
        out.constant(EnumNumbers.GRANT_SUFFICIENCY, message.sufficiency())
                .list(
                        message.changes(),
                        (to, change) -> to.constant(EnumNumbers.GRANT_CHANGE, change.kind())
                                .text(change.node())
                                .resources(change.room())
                                .fixedAmounts(change.fixed())
                                .text(change.pod())
                                .text(change.subject()));
    }

    @Override
    protected NearestGrant read(int version, WireReader in) {
        return new NearestGrant(
                in.constant(EnumNumbers.GRANT_SUFFICIENCY),
                in.list(from -> new GrantChange(
                        from.constant(EnumNumbers.GRANT_CHANGE),
                        from.text(),
                        from.resources(),
                        from.fixedAmounts(),
                        from.text(),
                        from.text())));
    }
}
