package io.sluice.codecs.placement;

import io.sluice.codecs.ledger.KeptRoomPart;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v4: by text, kept rooms. A kept room: node, uid, pod texts, charge resources, fixed amounts, upTo i32. */
public final class KeptRoomsCodec extends WireCodec<KeptRooms> {
    /** The codec. */
    public KeptRoomsCodec() {
        super("placement.kept-rooms", 4);
    }

    @Override
    protected void write(KeptRooms message, WireWriter out) {
        out.text(message.by()).list(message.rooms(), (to, room) -> KeptRoomPart.write(room, to));
    }

    @Override
    protected KeptRooms read(int version, WireReader in) {
        return new KeptRooms(in.text(), in.list(KeptRoomPart::read));
    }
}
