package io.sluice.codecs.ledger;

import io.sluice.codecs.cluster.NodeObservedCodec;
import io.sluice.codecs.cluster.PodObservedCodec;
import io.sluice.codecs.cluster.VmObservedCodec;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v3: node message, version i64, pods messages, vms messages, relist i64?; each message in its own version. */
public final class LoadNodeCodec extends WireCodec<LoadNode> {
    private final NodeObservedCodec node = new NodeObservedCodec();
    private final PodObservedCodec pod = new PodObservedCodec();
    private final VmObservedCodec vm = new VmObservedCodec();

    /** The codec. */
    public LoadNodeCodec() {
        super("ledger.load-node", 3);
    }

    @Override
    protected void write(LoadNode message, WireWriter out) {
        out.message(node, message.node())
                .i64(message.version())
                .list(message.pods(), (to, observed) -> to.message(pod, observed))
                .list(message.vms(), (to, observed) -> to.message(vm, observed))
                .optional(message.relist(), WireWriter::i64);
    }

    @Override
    protected LoadNode read(int version, WireReader in) {
        return new LoadNode(
                in.message(node),
                in.i64(),
                in.list(from -> from.message(pod)),
                in.list(from -> from.message(vm)),
                in.optional(WireReader::i64));
    }
}
