package io.sluice.ledger.wire;

import io.sluice.ledger.core.state.NodeChange;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * The codec of differences between states. v9: size?, full list?, tombstones?, the reservations that are put, the ids
 * of those that are removed, the room that is kept?; each in the form of {@link NodeStateCodec}.
 */
public final class NodeChangeCodec extends WireCodec<NodeChange> {
    /** The codec. */
    public NodeChangeCodec() {
        super("ledger.node-change", 9);
    }

    @Override
    protected void write(NodeChange change, WireWriter out) {
        out.optional(change.size(), (to, size) -> NodeStateCodec.write(size, to))
                .optional(change.fullList(), (to, fullList) -> NodeStateCodec.write(fullList, to))
                .optional(change.gone(), (to, gone) -> NodeStateCodec.write(gone, to))
                .list(change.put(), (to, reservation) -> ReservationPart.write(reservation, to))
                .list(change.removed(), WireWriter::text)
                .optional(change.claim(), (to, claim) -> NodeStateCodec.write(claim, to));
    }

    @Override
    protected NodeChange read(int version, WireReader in) {
        return new NodeChange(
                in.optional(NodeStateCodec::size),
                in.optional(NodeStateCodec::fullList),
                in.optional(NodeStateCodec::gone),
                in.list(ReservationPart::read),
                in.list(WireReader::text),
                in.optional(NodeStateCodec::claim));
    }
}
