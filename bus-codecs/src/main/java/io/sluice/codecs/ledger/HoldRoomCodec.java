package io.sluice.codecs.ledger;

import io.sluice.codecs.ClusterParts;
import io.sluice.codecs.DeviceParts;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * v2: node, holder, namespace, name, vmName texts, amounts resources, overcommit, ttl duration, attempt text. v3: fixed
 * amounts. v4: requests for GPUs. v5: priority i32. v6: knownState instant?.
 */
public final class HoldRoomCodec extends WireCodec<HoldRoom> {
    /** The codec. */
    public HoldRoomCodec() {
        super("ledger.hold-room", 5, 6);
    }

    @Override
    protected void write(HoldRoom message, WireWriter out) {
        out.text(message.node())
                .text(message.holder())
                .text(message.namespace())
                .text(message.name())
                .text(message.vmName())
                .resources(message.amounts());
        ClusterParts.write(message.overcommit(), out);
        out.duration(message.ttl()).text(message.attempt()).fixedAmounts(message.fixed());
        DeviceParts.writeRequests(message.gpus(), out);
        out.i32(message.priority()).optional(message.knownState(), WireWriter::instant);
    }

    @Override
    protected HoldRoom read(int version, WireReader in) {
        return new HoldRoom(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.resources(),
                ClusterParts.overcommit(in),
                in.duration(),
                in.text(),
                in.fixedAmounts(),
                DeviceParts.requests(in),
                in.i32(),
                version < 6 ? Optional.empty() : in.optional(WireReader::instant));
    }
}
