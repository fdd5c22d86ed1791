package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.VmsWatched;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: driver text, version i64. */
public final class VmsWatchedCodec extends WireCodec<VmsWatched> {
    /** The codec. */
    public VmsWatchedCodec() {
        super("cluster.vms-watched", 1);
    }

    @Override
    protected void write(VmsWatched message, WireWriter out) {
        out.text(message.driver()).i64(message.version());
    }

    @Override
    protected VmsWatched read(int version, WireReader in) {
        return new VmsWatched(in.text(), in.i64());
    }
}
