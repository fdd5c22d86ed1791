package io.sluice.codecs.placement;

import io.sluice.messages.placement.RoomWanted;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uids as a list of texts. */
public final class RoomWantedCodec extends WireCodec<RoomWanted> {
    /** The codec. */
    public RoomWantedCodec() {
        super("placement.room-wanted", 1);
    }

    @Override
    protected void write(RoomWanted message, WireWriter out) {
        out.list(message.pods(), (to, uid) -> to.text(uid));
    }

    @Override
    protected RoomWanted read(int version, WireReader in) {
        return new RoomWanted(in.list(WireReader::text));
    }
}
