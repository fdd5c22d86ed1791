package io.sluice.codecs.pressure;

import io.sluice.messages.pressure.RankNode;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: node text. */
public final class RankNodeCodec extends WireCodec<RankNode> {
    /** The codec. */
    public RankNodeCodec() {
        super("pressure.rank-node", 1);
    }

    @Override
    protected void write(RankNode message, WireWriter out) {
        out.text(message.node());
    }

    @Override
    protected RankNode read(int version, WireReader in) {
        return new RankNode(in.text());
    }
}
