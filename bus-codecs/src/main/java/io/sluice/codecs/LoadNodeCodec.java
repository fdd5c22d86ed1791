package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.LoadNode;

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
                .list(message.pods(), (to, seen) -> to.message(pod, seen))
                .list(message.vms(), (to, seen) -> to.message(vm, seen))
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
