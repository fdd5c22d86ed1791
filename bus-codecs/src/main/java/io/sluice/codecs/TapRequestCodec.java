package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.member.TapRequest;

/**
 * v1: listener text, seq i64, vm, node, address, kind texts.
 *
 * <p>The filter travels as it was typed and whole each time: a listener that was closed meanwhile is opened again by
 * the same question.
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
