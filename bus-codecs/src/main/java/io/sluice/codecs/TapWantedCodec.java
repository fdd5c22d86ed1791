package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.member.TapWanted;

/**
 * v1: listener text, seq i64, vm, node, address, kind texts.
 *
 * <p>The filter travels as it was typed and whole each time: a listener that was closed meanwhile is opened again by
 * the same question.
 */
public final class TapWantedCodec extends WireCodec<TapWanted> {
    /** The codec. */
    public TapWantedCodec() {
        super("member.tap-wanted", 1);
    }

    @Override
    protected void write(TapWanted message, WireWriter out) {
        out.text(message.listener())
                .i64(message.seq())
                .text(message.vm())
                .text(message.node())
                .text(message.address())
                .text(message.kind());
    }

    @Override
    protected TapWanted read(int version, WireReader in) {
        return new TapWanted(in.text(), in.i64(), in.text(), in.text(), in.text(), in.text());
    }
}
