package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.RelistRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: by text. */
public final class RelistRequestCodec extends WireCodec<RelistRequest> {
    /** The codec. */
    public RelistRequestCodec() {
        super("cluster.relist-request", 1);
    }

    @Override
    protected void write(RelistRequest message, WireWriter out) {
        out.text(message.by());
    }

    @Override
    protected RelistRequest read(int version, WireReader in) {
        return new RelistRequest(in.text());
    }
}
