package io.sluice.codecs.member;

import io.sluice.messages.member.TapRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: listener text, seq i64, vm, node, address, kind texts.
 *
 * <p>Each request has the whole filter, as the user typed it: a listener that was closed meanwhile is opened again by
 * the same request.
 */
public final class TapRequestCodec extends WireCodec<TapRequest> {
    /** The codec. */
    public TapRequestCodec() {
        super("member.tap-request", 1);
    }

    @Override
    protected void write(TapRequest message, WireWriter out) {
        out.text(message.listener())
                .i64(message.seq())
                .text(message.vm())
                .text(message.node())
                .text(message.address())
                .text(message.kind());
    }

    @Override
    protected TapRequest read(int version, WireReader in) {
        return new TapRequest(in.text(), in.i64(), in.text(), in.text(), in.text(), in.text());
    }
}
