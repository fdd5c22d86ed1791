package io.sluice.ledger.wire;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.ledger.core.NodeChange;

/**
 * v4: size?, listing?, tombstones?, the members that are put, the ids of those that are removed; each as
 * {@link NodeStateCodec} has it.
 */
public final class NodeChangeCodec extends WireCodec<NodeChange> {
    /** The codec. */
    public NodeChangeCodec() {
        super("ledger.node-change", 4);
    }

    @Override
    protected void write(NodeChange change, WireWriter out) {
        out.optional(change.size(), (to, size) -> NodeStateCodec.write(size, to))
                .optional(change.listing(), (to, listing) -> NodeStateCodec.write(listing, to))
                .optional(change.gone(), (to, gone) -> NodeStateCodec.write(gone, to))
                .list(change.put(), (to, member) -> ReservationPart.write(member, to))
                .list(change.removed(), WireWriter::text);
    }

    @Override
    protected NodeChange read(int version, WireReader in) {
        return new NodeChange(
                in.optional(NodeStateCodec::size),
                in.optional(NodeStateCodec::listing),
                in.optional(NodeStateCodec::gone),
                in.list(ReservationPart::read),
                in.list(WireReader::text));
    }
}
