package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: member text, reason text. */
public final class ListerWithoutViewCodec extends WireCodec<ListerWithoutView> {
    /** The codec. */
    public ListerWithoutViewCodec() {
        super("cluster.lister-without-view", 1);
    }

    @Override
    protected void write(ListerWithoutView message, WireWriter out) {
        out.text(message.member()).text(message.reason());
    }

    @Override
    protected ListerWithoutView read(int version, WireReader in) {
        return new ListerWithoutView(in.text(), in.text());
    }
}
