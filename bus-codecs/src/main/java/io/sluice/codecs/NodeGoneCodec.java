package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.NodeGone;

/** v1: node text, version i64. */
public final class NodeGoneCodec extends WireCodec<NodeGone> {
    /** The codec. */
    public NodeGoneCodec() {
        super("cluster.node-gone", 1);
    }

    @Override
    protected void write(NodeGone message, WireWriter out) {
        out.text(message.node()).i64(message.version());
    }

    @Override
    protected NodeGone read(int version, WireReader in) {
        return new NodeGone(in.text(), in.i64());
    }
}
