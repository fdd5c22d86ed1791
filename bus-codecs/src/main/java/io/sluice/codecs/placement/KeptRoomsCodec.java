package io.sluice.codecs.placement;

import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.KeptRooms.KeptRoom;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v3: by text, rooms as a list of node, uid, pod texts, charge resources and upTo i32. */
public final class KeptRoomsCodec extends WireCodec<KeptRooms> {
    /** The codec. */
    public KeptRoomsCodec() {
        super("placement.kept-rooms", 3);
    }

    @Override
    protected void write(KeptRooms message, WireWriter out) {
        out.text(message.by())
                .list(
                        message.rooms(),
                        (to, room) -> to.text(room.node())
                                .text(room.uid())
                                .text(room.pod())
                                .resources(room.charge())
                                .i32(room.upTo()));
    }

    @Override
    protected KeptRooms read(int version, WireReader in) {
        return new KeptRooms(
                in.text(),
                in.list(from -> new KeptRoom(from.text(), from.text(), from.text(), from.resources(), from.i32())));
    }
}
