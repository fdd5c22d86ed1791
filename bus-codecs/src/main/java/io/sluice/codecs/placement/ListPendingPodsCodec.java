package io.sluice.codecs.placement;

import io.sluice.messages.placement.ListPendingPods;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: pod text, most i32. */
public final class ListPendingPodsCodec extends WireCodec<ListPendingPods> {
    /** The codec. */
    public ListPendingPodsCodec() {
        super("placement.list-pending-pods", 1);
    }

    @Override
    protected void write(ListPendingPods message, WireWriter out) {
        out.text(message.pod()).i32(message.most());
    }

    @Override
    protected ListPendingPods read(int version, WireReader in) {
        return new ListPendingPods(in.text(), in.i32());
    }
}
