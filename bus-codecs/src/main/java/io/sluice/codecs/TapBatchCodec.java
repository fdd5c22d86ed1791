package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.member.TapBatch;

/**
 * v1: seq i64, opened bool, messages as long texts, more bool, dropped i64.
 *
 * <p>Messages are carried as the JSON that people see, not as what they were: secrets are left out before they leave
 * their process, and an older member can show a message that it does not know.
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
