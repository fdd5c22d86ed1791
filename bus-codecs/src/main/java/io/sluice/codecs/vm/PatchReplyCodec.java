package io.sluice.codecs.vm;

import io.sluice.messages.vm.PatchReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (patched) version i64; for 2 (conflict) size resources, fence text; for 3 (refused) status
 * i32, reason text; for 4 (in doubt) reason text.
 */
public final class PatchReplyCodec extends WireCodec<PatchReply> {
    private static final int PATCHED = 1;
    private static final int CONFLICT = 2;
    private static final int REFUSED = 3;
    private static final int IN_DOUBT = 4;

    /** The codec. */
    public PatchReplyCodec() {
        super("vm.patch-reply", 1);
    }

    @Override
    protected void write(PatchReply message, WireWriter out) {
        switch (message) {
            case PatchReply.Patched(var version) -> out.u8(PATCHED).i64(version);
            case PatchReply.Conflict(var size, var fence) ->
                out.u8(CONFLICT).resources(size).text(fence);
            case PatchReply.Refused(var status, var reason) ->
                out.u8(REFUSED).i32(status).text(reason);
            case PatchReply.InDoubt(var reason) -> out.u8(IN_DOUBT).text(reason);
        }
    }

    @Override
    protected PatchReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PATCHED -> new PatchReply.Patched(in.i64());
            case CONFLICT -> new PatchReply.Conflict(in.resources(), in.text());
            case REFUSED -> new PatchReply.Refused(in.i32(), in.text());
            case IN_DOUBT -> new PatchReply.InDoubt(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
