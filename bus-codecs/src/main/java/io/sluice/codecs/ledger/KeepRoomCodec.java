package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.KeepRoom;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: kept room, ttl duration. A kept room: node, uid, pod texts, charge resources, fixed amounts, upTo i32. */
public final class KeepRoomCodec extends WireCodec<KeepRoom> {
    /** The codec. */
    public KeepRoomCodec() {
        super("ledger.keep-room", 1);
    }

    @Override
    protected void write(KeepRoom message, WireWriter out) {
        KeptRoomPart.write(message.room(), out);
        out.duration(message.ttl());
    }

    @Override
    protected KeepRoom read(int version, WireReader in) {
        return new KeepRoom(KeptRoomPart.read(in), in.duration());
    }
}
