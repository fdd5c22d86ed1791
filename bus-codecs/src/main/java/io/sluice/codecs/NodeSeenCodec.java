package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.NodeSeen;

/** v1: node text, version i64, allocatable resources. */
public final class NodeSeenCodec extends WireCodec<NodeSeen> {
    /** The codec. */
    public NodeSeenCodec() {
        super("cluster.node-seen", 1);
    }

    @Override
    protected void write(NodeSeen message, WireWriter out) {
        out.text(message.node()).i64(message.version()).resources(message.allocatable());
    }

    @Override
    protected NodeSeen read(int version, WireReader in) {
        return new NodeSeen(in.text(), in.i64(), in.resources());
    }
}
