package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.NodeSeen;
import java.util.List;

/** v1: node text, version i64, allocatable resources. v2: closed text, taints texts. */
public final class NodeSeenCodec extends WireCodec<NodeSeen> {
    /** The codec. */
    public NodeSeenCodec() {
        super("cluster.node-seen", 2);
    }

    @Override
    protected void write(NodeSeen message, WireWriter out) {
        out.text(message.node())
                .i64(message.version())
                .resources(message.allocatable())
                .text(message.closed())
                .list(message.taints(), WireWriter::text);
    }

    @Override
    protected NodeSeen read(int version, WireReader in) {
        return new NodeSeen(
                in.text(),
                in.i64(),
                in.resources(),
                version < 2 ? "" : in.text(),
                version < 2 ? List.of() : in.list(WireReader::text));
    }
}
