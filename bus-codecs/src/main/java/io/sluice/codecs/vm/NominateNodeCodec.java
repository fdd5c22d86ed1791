package io.sluice.codecs.vm;

import io.sluice.messages.vm.NominateNode;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name, node texts. */
public final class NominateNodeCodec extends WireCodec<NominateNode> {
    /** The codec. */
    public NominateNodeCodec() {
        super("vm.nominate-node", 1);
    }

    @Override
    protected void write(NominateNode message, WireWriter out) {
        out.text(message.uid()).text(message.namespace()).text(message.name()).text(message.node());
    }

    @Override
    protected NominateNode read(int version, WireReader in) {
        return new NominateNode(in.text(), in.text(), in.text(), in.text());
    }
}
