package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.pressure.RankNode;

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
