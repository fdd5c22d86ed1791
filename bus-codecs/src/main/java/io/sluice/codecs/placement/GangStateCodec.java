package io.sluice.codecs.placement;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.placement.GangState;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: apiGroup, namespace, name, uid texts, version i64, minMember i32, phase, reason texts, members as a list of uid,
 * name, node texts and step.
 */
public final class GangStateCodec extends WireCodec<GangState> {
    /** The codec. */
    public GangStateCodec() {
        super("placement.gang-state", 1);
    }

    @Override
    protected void write(GangState message, WireWriter out) {
        out.text(message.apiGroup())
                .text(message.namespace())
                .text(message.name())
                .text(message.uid())
                .i64(message.version())
                .i32(message.minMember())
                .text(message.phase())
                .text(message.reason())
                .list(
                        message.members(),
                        (to, member) -> to.text(member.uid())
                                .text(member.name())
                                .text(member.node())
                                .constant(EnumNumbers.GANG_STEP, member.step()));
    }

    @Override
    protected GangState read(int version, WireReader in) {
        return new GangState(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.i32(),
                in.text(),
                in.text(),
                in.list(from -> new GangState.Member(
                        from.text(), from.text(), from.text(), from.constant(EnumNumbers.GANG_STEP))));
    }
}
