package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (of a permit) node, pod texts, target resources; for 2 (of a hold) hold message, below the
 * watermark bool.
 */
public final class GrantQueryCodec extends WireCodec<GrantQuery> {
    private static final int OF_PERMIT = 1;
    private static final int OF_HOLD = 2;

    private final HoldRoomCodec hold = new HoldRoomCodec();

    /** The codec. */
    public GrantQueryCodec() {
        super("ledger.grant-query", 1);
    }

    @Override
    protected void write(GrantQuery message, WireWriter out) {
        switch (message) {
            case GrantQuery.OfPermit(var node, var pod, var target) ->
                out.u8(OF_PERMIT).text(node).text(pod).resources(target);
            case GrantQuery.OfHold(var room, var belowWatermark) ->
                out.u8(OF_HOLD).message(hold, room).bool(belowWatermark);
        }
    }

    @Override
    protected GrantQuery read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case OF_PERMIT -> new GrantQuery.OfPermit(in.text(), in.text(), in.resources());
            case OF_HOLD -> new GrantQuery.OfHold(in.message(hold), in.bool());
            default -> throw in.unknownTag(tag);
        };
    }
}
