package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.NodeSeen;

/** v3: node text, version i64, allocatable resources, closed text, taints texts, ready bool. */
public final class NodeSeenCodec extends WireCodec<NodeSeen> {
    /** The codec. */
    public NodeSeenCodec() {
        super("cluster.node-seen", 3);
    }

    @Override
    protected void write(NodeSeen message, WireWriter out) {
        out.text(message.node())
                .i64(message.version())
                .resources(message.allocatable())
                .text(message.closed())
                .list(message.taints(), WireWriter::text)
                .bool(message.ready());
    }

    @Override
    protected NodeSeen read(int version, WireReader in) {
        return new NodeSeen(in.text(), in.i64(), in.resources(), in.text(), in.list(WireReader::text), in.bool());
    }
}
