package io.sluice.codecs.member;

import io.sluice.codecs.LongTextPart;
import io.sluice.messages.member.TapBatch;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: seq i64, opened bool, messages as long texts, more bool, dropped i64.
 *
 * <p>Messages are sent as the JSON that the tap shows, not in their own codec: secrets are removed before they leave
 * their process, and a member of an older release can show a message that it cannot decode.
 */
public final class TapBatchCodec extends WireCodec<TapBatch> {
    /** The codec. */
    public TapBatchCodec() {
        super("member.tap-batch", 1);
    }

    @Override
    protected void write(TapBatch message, WireWriter out) {
        out.i64(message.seq())
                .bool(message.opened())
                .list(message.messages(), LongTextPart::write)
                .bool(message.more())
                .i64(message.dropped());
    }

    @Override
    protected TapBatch read(int version, WireReader in) {
        return new TapBatch(in.i64(), in.bool(), in.list(LongTextPart::read), in.bool(), in.i64());
    }
}
