package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.PodGone;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

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
