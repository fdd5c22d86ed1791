package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.RelistRequest;

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
