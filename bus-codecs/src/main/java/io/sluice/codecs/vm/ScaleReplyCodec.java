package io.sluice.codecs.vm;

import io.sluice.messages.vm.ScaleReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: refusal text. */
public final class ScaleReplyCodec extends WireCodec<ScaleReply> {
    /** The codec. */
    public ScaleReplyCodec() {
        super("vm.scale-reply", 1);
    }

    @Override
    protected void write(ScaleReply message, WireWriter out) {
        out.text(message.refusal());
    }

    @Override
    protected ScaleReply read(int version, WireReader in) {
        return new ScaleReply(in.text());
    }
}
