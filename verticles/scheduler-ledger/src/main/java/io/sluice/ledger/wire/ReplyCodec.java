package io.sluice.ledger.wire;

import io.sluice.codecs.ledger.HoldReplyCodec;
import io.sluice.codecs.ledger.KeepReplyCodec;
import io.sluice.codecs.ledger.LoadReplyCodec;
import io.sluice.codecs.ledger.MarkReplyCodec;
import io.sluice.codecs.ledger.OpenReplyCodec;
import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.codecs.ledger.ReclaimReplyCodec;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * The codec of replies to commands of all types. v1: tag u8, then for 1 (permit), 2 (open), 3 (load), 4 (reclaim), 5
 * (hold), 6 (mark) the reply as a message; for 7 (observation) its number u8; for 8 (yes or no) bool; for 9 (count)
 * i32; for 10 (keep) the reply as a message.
 *
 * <p>The command determines which type of reply to expect.
 */
public final class ReplyCodec extends WireCodec<Object> {
    private static final int PERMIT = 1;
    private static final int OPEN = 2;
    private static final int LOAD = 3;
    private static final int RECLAIM = 4;
    private static final int HOLD = 5;
    private static final int MARK = 6;
    private static final int OBSERVATION = 7;
    private static final int YES_OR_NO = 8;
    private static final int COUNT = 9;
    private static final int KEEP = 10;

    private final PermitReplyCodec permit = new PermitReplyCodec();
    private final OpenReplyCodec open = new OpenReplyCodec();
    private final LoadReplyCodec load = new LoadReplyCodec();
    private final ReclaimReplyCodec reclaim = new ReclaimReplyCodec();
    private final HoldReplyCodec hold = new HoldReplyCodec();
    private final MarkReplyCodec mark = new MarkReplyCodec();
    private final KeepReplyCodec keep = new KeepReplyCodec();

    /** The codec. */
    public ReplyCodec() {
        super("ledger.reply", 1);
    }

    /** Replies have no common supertype, so only a test can detect a type that is missing here. */
    @Override
    protected void write(Object reply, WireWriter out) {
        switch (reply) {
            case PermitReply ruled -> out.u8(PERMIT).message(permit, ruled);
            case OpenReply opened -> out.u8(OPEN).message(open, opened);
            case LoadReply loaded -> out.u8(LOAD).message(load, loaded);
            case ReclaimReply settled -> out.u8(RECLAIM).message(reclaim, settled);
            case HoldReply held -> out.u8(HOLD).message(hold, held);
            case MarkReply marked -> out.u8(MARK).message(mark, marked);
            case KeepReply kept -> out.u8(KEEP).message(keep, kept);
            case ObservationReply observation ->
                out.u8(OBSERVATION).constant(LedgerNumbers.OBSERVATION_REPLY, observation);
            case Boolean yes -> out.u8(YES_OR_NO).bool(yes);
            case Integer count -> out.u8(COUNT).i32(count);
            default ->
                throw new IllegalArgumentException(name() + ": no command has a reply of type "
                        + reply.getClass().getSimpleName());
        }
    }

    @Override
    protected Object read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PERMIT -> in.message(permit);
            case OPEN -> in.message(open);
            case LOAD -> in.message(load);
            case RECLAIM -> in.message(reclaim);
            case HOLD -> in.message(hold);
            case MARK -> in.message(mark);
            case OBSERVATION -> in.constant(LedgerNumbers.OBSERVATION_REPLY);
            case YES_OR_NO -> in.bool();
            case COUNT -> in.i32();
            case KEEP -> in.message(keep);
            default -> throw in.unknownTag(tag);
        };
    }
}
