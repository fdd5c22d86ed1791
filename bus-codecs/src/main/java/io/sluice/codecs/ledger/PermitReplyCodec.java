package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v2: tag u8, then for 1 (ruled) session, seq i64, permit resources, validFor duration, migrating bool, the decisions
 * on CPU and memory (outcome u8 and six i64 each); for 2 (late) newestSeq i64, permit resources; for 3 (superseded)
 * current i64, runner text; for 4 (open again) current i64; for 5 (seq reused) seq i64; for 6 (not ready) cause u8,
 * retryAfter duration; for 7 (refused) cause u8.
 */
public final class PermitReplyCodec extends WireCodec<PermitReply> {
    private static final int RULED = 1;
    private static final int LATE = 2;
    private static final int SUPERSEDED = 3;
    private static final int OPEN_AGAIN = 4;
    private static final int SEQ_REUSED = 5;
    private static final int NOT_READY = 6;
    private static final int REFUSED = 7;

    /** The codec. */
    public PermitReplyCodec() {
        super("ledger.permit-reply", 2);
    }

    @Override
    protected void write(PermitReply message, WireWriter out) {
        switch (message) {
            case PermitReply.Ruled ruled -> write(ruled, out.u8(RULED));
            case PermitReply.Late(var newestSeq, var permit) ->
                out.u8(LATE).i64(newestSeq).resources(permit);
            case PermitReply.Superseded(var current, var runner) ->
                out.u8(SUPERSEDED).i64(current).text(runner);
            case PermitReply.OpenAgain(var current) -> out.u8(OPEN_AGAIN).i64(current);
            case PermitReply.SeqReused(var seq) -> out.u8(SEQ_REUSED).i64(seq);
            case PermitReply.NotReady(var cause, var retryAfter) ->
                new NotReadyPart(cause, retryAfter).write(out.u8(NOT_READY));
            case PermitReply.Refused(var cause) -> out.u8(REFUSED).constant(EnumNumbers.REFUSAL_CAUSE, cause);
        }
    }

    @Override
    protected PermitReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case RULED -> ruled(in);
            case LATE -> new PermitReply.Late(in.i64(), in.resources());
            case SUPERSEDED -> new PermitReply.Superseded(in.i64(), in.text());
            case OPEN_AGAIN -> new PermitReply.OpenAgain(in.i64());
            case SEQ_REUSED -> new PermitReply.SeqReused(in.i64());
            case NOT_READY -> {
                var part = NotReadyPart.read(in);
                yield new PermitReply.NotReady(part.cause(), part.retryAfter());
            }
            case REFUSED -> new PermitReply.Refused(in.constant(EnumNumbers.REFUSAL_CAUSE));
            default -> throw in.unknownTag(tag);
        };
    }

    private static void write(PermitReply.Ruled ruled, WireWriter out) {
        out.i64(ruled.session())
                .i64(ruled.seq())
                .resources(ruled.permit())
                .duration(ruled.validFor())
                .bool(ruled.migrating());
        write(ruled.cpu(), out);
        write(ruled.memory(), out);
    }

    private static PermitReply.Ruled ruled(WireReader in) {
        return new PermitReply.Ruled(
                in.i64(), in.i64(), in.resources(), in.duration(), in.bool(), kindRuling(in), kindRuling(in));
    }

    private static void write(KindDecision ruling, WireWriter out) {
        out.constant(EnumNumbers.OUTCOME, ruling.outcome())
                .i64(ruling.before())
                .i64(ruling.requested())
                .i64(ruling.permit())
                .i64(ruling.remaining())
                .i64(ruling.nodeReserved())
                .i64(ruling.nodeTotal());
    }

    private static KindDecision kindRuling(WireReader in) {
        return new KindDecision(
                in.constant(EnumNumbers.OUTCOME), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
    }
}
