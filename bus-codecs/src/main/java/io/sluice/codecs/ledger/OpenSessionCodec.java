package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: node, pod, runner texts, lastSession i64. */
public final class OpenSessionCodec extends WireCodec<OpenSession> {
    /** The codec. */
    public OpenSessionCodec() {
        super("ledger.open-session", 1);
    }

    @Override
    protected void write(OpenSession message, WireWriter out) {
        out.text(message.node()).text(message.pod()).text(message.runner()).i64(message.lastSession());
    }

    @Override
    protected OpenSession read(int version, WireReader in) {
        return new OpenSession(in.text(), in.text(), in.text(), in.i64());
    }
}
