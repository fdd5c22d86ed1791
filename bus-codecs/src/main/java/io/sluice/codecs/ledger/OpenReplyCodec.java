package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (opened) session i64, permit resources, recovered bool; for 2 (not ready) cause u8, retryAfter
 * duration; for 3 (refused) cause u8.
 */
public final class OpenReplyCodec extends WireCodec<OpenReply> {
    private static final int OPENED = 1;
    private static final int NOT_READY = 2;
    private static final int REFUSED = 3;

    /** The codec. */
    public OpenReplyCodec() {
        super("ledger.open-reply", 1);
    }

    @Override
    protected void write(OpenReply message, WireWriter out) {
        switch (message) {
            case OpenReply.Opened(var session, var reserved, var recovered) ->
                out.u8(OPENED).i64(session).resources(reserved).bool(recovered);
            case OpenReply.NotReady(var cause, var retryAfter) ->
                new NotReadyPart(cause, retryAfter).write(out.u8(NOT_READY));
            case OpenReply.Refused(var cause) -> out.u8(REFUSED).constant(EnumNumbers.REFUSAL_CAUSE, cause);
        }
    }

    @Override
    protected OpenReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case OPENED -> new OpenReply.Opened(in.i64(), in.resources(), in.bool());
            case NOT_READY -> {
                var part = NotReadyPart.read(in);
                yield new OpenReply.NotReady(part.cause(), part.retryAfter());
            }
            case REFUSED -> new OpenReply.Refused(in.constant(EnumNumbers.REFUSAL_CAUSE));
            default -> throw in.unknownTag(tag);
        };
    }
}
