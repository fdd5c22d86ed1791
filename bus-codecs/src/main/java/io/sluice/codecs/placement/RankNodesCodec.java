package io.sluice.codecs.placement;

import io.sluice.messages.placement.RankNodes;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name texts, nodes texts. */
public final class RankNodesCodec extends WireCodec<RankNodes> {
    /** The codec. */
    public RankNodesCodec() {
        super("placement.rank-nodes", 1);
    }

    @Override
    protected void write(RankNodes message, WireWriter out) {
        out.text(message.uid()).text(message.namespace()).text(message.name()).list(message.nodes(), WireWriter::text);
    }

    @Override
    protected RankNodes read(int version, WireReader in) {
        return new RankNodes(in.text(), in.text(), in.text(), in.list(WireReader::text));
    }
}
