package io.sluice.codecs.worker;

import io.sluice.messages.worker.ListInstancePods;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace text. */
public final class ListInstancePodsCodec extends WireCodec<ListInstancePods> {
    /** The codec. */
    public ListInstancePodsCodec() {
        super("worker.list-instance-pods", 1);
    }

    @Override
    protected void write(ListInstancePods message, WireWriter out) {
        out.text(message.namespace());
    }

    @Override
    protected ListInstancePods read(int version, WireReader in) {
        return new ListInstancePods(in.text());
    }
}
