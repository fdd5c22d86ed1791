package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.monitor.ResizeReply;

/** v1: tag u8 (1 accepted, 2 vetoed, 3 failed), then the monitor's words or the reason as text. */
public final class ResizeReplyCodec extends WireCodec<ResizeReply> {
    private static final int ACCEPTED = 1;
    private static final int VETOED = 2;
    private static final int FAILED = 3;

    /** The codec. */
    public ResizeReplyCodec() {
        super("monitor.resize-reply", 1);
    }

    @Override
    protected void write(ResizeReply message, WireWriter out) {
        switch (message) {
            case ResizeReply.Accepted(var status) -> out.u8(ACCEPTED).text(status);
            case ResizeReply.Denied(var status) -> out.u8(VETOED).text(status);
            case ResizeReply.Failed(var reason) -> out.u8(FAILED).text(reason);
        }
    }

    @Override
    protected ResizeReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case ACCEPTED -> new ResizeReply.Accepted(in.text());
            case VETOED -> new ResizeReply.Denied(in.text());
            case FAILED -> new ResizeReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
