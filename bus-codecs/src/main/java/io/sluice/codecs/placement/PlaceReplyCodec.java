package io.sluice.codecs.placement;

import io.sluice.messages.placement.PlaceReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: tag u8, then for 1 (placed) nothing; for 2 (not placed), 3 (in doubt) reason text. */
public final class PlaceReplyCodec extends WireCodec<PlaceReply> {
    private static final int PLACED = 1;
    private static final int NOT_PLACED = 2;
    private static final int IN_DOUBT = 3;

    /** The codec. */
    public PlaceReplyCodec() {
        super("placement.place-reply", 1);
    }

    @Override
    protected void write(PlaceReply message, WireWriter out) {
        switch (message) {
            case PlaceReply.Placed() -> out.u8(PLACED);
            case PlaceReply.NotPlaced(var reason) -> out.u8(NOT_PLACED).text(reason);
            case PlaceReply.InDoubt(var reason) -> out.u8(IN_DOUBT).text(reason);
        }
    }

    @Override
    protected PlaceReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PLACED -> new PlaceReply.Placed();
            case NOT_PLACED -> new PlaceReply.NotPlaced(in.text());
            case IN_DOUBT -> new PlaceReply.InDoubt(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
