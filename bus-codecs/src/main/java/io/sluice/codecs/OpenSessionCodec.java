package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.OpenSession;

/** v1: node, member, runner texts, lastSession i64. */
public final class OpenSessionCodec extends WireCodec<OpenSession> {
    /** The codec. */
    public OpenSessionCodec() {
        super("ledger.open-session", 1);
    }

    @Override
    protected void write(OpenSession message, WireWriter out) {
        out.text(message.node()).text(message.member()).text(message.runner()).i64(message.lastSession());
    }

    @Override
    protected OpenSession read(int version, WireReader in) {
        return new OpenSession(in.text(), in.text(), in.text(), in.i64());
    }
}
