package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.ListerBlind;

/** v1: member text, reason text. */
public final class ListerBlindCodec extends WireCodec<ListerBlind> {
    /** The codec. */
    public ListerBlindCodec() {
        super("cluster.lister-blind", 1);
    }

    @Override
    protected void write(ListerBlind message, WireWriter out) {
        out.text(message.member()).text(message.reason());
    }

    @Override
    protected ListerBlind read(int version, WireReader in) {
        return new ListerBlind(in.text(), in.text());
    }
}
