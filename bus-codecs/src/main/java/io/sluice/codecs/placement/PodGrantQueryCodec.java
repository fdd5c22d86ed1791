package io.sluice.codecs.placement;

import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: pod text. */
public final class PodGrantQueryCodec extends WireCodec<PodGrantQuery> {
    /** The codec. */
    public PodGrantQueryCodec() {
        super("placement.pod-grant-query", 1);
    }

    @Override
    protected void write(PodGrantQuery message, WireWriter out) {
        out.text(message.pod());
    }

    @Override
    protected PodGrantQuery read(int version, WireReader in) {
        return new PodGrantQuery(in.text());
    }
}
