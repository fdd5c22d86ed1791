package io.sluice.codecs.cluster;

import io.sluice.codecs.DeviceParts;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v6: node text, version i64, allocatable resources, closed text, taints texts, ready bool, fixed amounts, devices. */
public final class NodeObservedCodec extends WireCodec<NodeObserved> {
    /** The codec. */
    public NodeObservedCodec() {
        super("cluster.node-observed", 6);
    }

    @Override
    protected void write(NodeObserved message, WireWriter out) {
        out.text(message.node())
                .i64(message.version())
                .resources(message.allocatable())
                .text(message.closed())
                .list(message.taints(), WireWriter::text)
                .bool(message.ready())
                .fixedAmounts(message.fixed());
        DeviceParts.write(message.devices(), out);
    }

    @Override
    protected NodeObserved read(int version, WireReader in) {
        return new NodeObserved(
                in.text(),
                in.i64(),
                in.resources(),
                in.text(),
                in.list(WireReader::text),
                in.bool(),
                in.fixedAmounts(),
                DeviceParts.node(in));
    }
}
