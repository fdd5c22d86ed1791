package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.PodGone;

/** v1: uid, node texts, version i64. */
public final class PodGoneCodec extends WireCodec<PodGone> {
    /** The codec. */
    public PodGoneCodec() {
        super("cluster.pod-gone", 1);
    }

    @Override
    protected void write(PodGone message, WireWriter out) {
        out.text(message.uid()).text(message.node()).i64(message.version());
    }

    @Override
    protected PodGone read(int version, WireReader in) {
        return new PodGone(in.text(), in.text(), in.i64());
    }
}
