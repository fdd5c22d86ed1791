package io.sluice.codecs.monitor;

import io.sluice.messages.monitor.ResizeReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: tag u8 (1 accepted, 2 denied, 3 failed), then the monitor's text or the reason as text. */
public final class ResizeReplyCodec extends WireCodec<ResizeReply> {
    private static final int ACCEPTED = 1;
    private static final int DENIED = 2;
    private static final int FAILED = 3;

    /** The codec. */
    public ResizeReplyCodec() {
        super("monitor.resize-reply", 1);
    }

    @Override
    protected void write(ResizeReply message, WireWriter out) {
        switch (message) {
            case ResizeReply.Accepted(var status) -> out.u8(ACCEPTED).text(status);
            case ResizeReply.Denied(var status) -> out.u8(DENIED).text(status);
            case ResizeReply.Failed(var reason) -> out.u8(FAILED).text(reason);
        }
    }

    @Override
    protected ResizeReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case ACCEPTED -> new ResizeReply.Accepted(in.text());
            case DENIED -> new ResizeReply.Denied(in.text());
            case FAILED -> new ResizeReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
