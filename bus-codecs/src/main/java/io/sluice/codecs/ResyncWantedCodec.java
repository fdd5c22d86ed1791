package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.ResyncWanted;

/** v1: by text. */
public final class ResyncWantedCodec extends WireCodec<ResyncWanted> {
    /** The codec. */
    public ResyncWantedCodec() {
        super("cluster.resync-wanted", 1);
    }

    @Override
    protected void write(ResyncWanted message, WireWriter out) {
        out.text(message.by());
    }

    @Override
    protected ResyncWanted read(int version, WireReader in) {
        return new ResyncWanted(in.text());
    }
}
