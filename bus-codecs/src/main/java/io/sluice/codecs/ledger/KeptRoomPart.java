package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.KeptRoom;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * A part of several messages: node, uid, pod texts, charge resources, fixed amounts, upTo i32. It has no version of its
 * own.
 */
public final class KeptRoomPart {
    private KeptRoomPart() {}

    public static void write(KeptRoom room, WireWriter out) {
        out.text(room.node())
                .text(room.uid())
                .text(room.pod())
                .resources(room.charge())
                .fixedAmounts(room.fixed())
                .i32(room.upTo());
    }

    public static KeptRoom read(WireReader in) {
        return new KeptRoom(in.text(), in.text(), in.text(), in.resources(), in.fixedAmounts(), in.i32());
    }
}
