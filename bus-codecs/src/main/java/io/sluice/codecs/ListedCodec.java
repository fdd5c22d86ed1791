package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.Listed;

/** v1: nodes, pods, vms i32. */
public final class ListedCodec extends WireCodec<Listed> {
    /** The codec. */
    public ListedCodec() {
        super("cluster.listed", 1);
    }

    @Override
    protected void write(Listed message, WireWriter out) {
        out.i32(message.nodes()).i32(message.pods()).i32(message.vms());
    }

    @Override
    protected Listed read(int version, WireReader in) {
        return new Listed(in.i32(), in.i32(), in.i32());
    }
}
