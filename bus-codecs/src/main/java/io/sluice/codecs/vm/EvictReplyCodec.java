package io.sluice.codecs.vm;

import io.sluice.messages.vm.EvictReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: tag u8, then for 1 (evicted), 2 (gone) nothing; for 3 (refused by a budget), 4 (failed) reason text. */
public final class EvictReplyCodec extends WireCodec<EvictReply> {
    private static final int EVICTED = 1;
    private static final int GONE = 2;
    private static final int REFUSED_BY_BUDGET = 3;
    private static final int FAILED = 4;

    /** The codec. */
    public EvictReplyCodec() {
        super("vm.evict-reply", 1);
    }

    @Override
    protected void write(EvictReply message, WireWriter out) {
        switch (message) {
            case EvictReply.Evicted() -> out.u8(EVICTED);
            case EvictReply.Gone() -> out.u8(GONE);
            case EvictReply.RefusedByBudget(var reason) ->
                out.u8(REFUSED_BY_BUDGET).text(reason);
            case EvictReply.Failed(var reason) -> out.u8(FAILED).text(reason);
        }
    }

    @Override
    protected EvictReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case EVICTED -> new EvictReply.Evicted();
            case GONE -> new EvictReply.Gone();
            case REFUSED_BY_BUDGET -> new EvictReply.RefusedByBudget(in.text());
            case FAILED -> new EvictReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
