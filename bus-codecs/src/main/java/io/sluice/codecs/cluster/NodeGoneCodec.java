package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

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
