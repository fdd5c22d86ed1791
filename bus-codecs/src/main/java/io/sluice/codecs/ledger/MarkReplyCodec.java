package io.sluice.codecs.ledger;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (marked) reserved resources; for 2 (unmarked) reserved resources; for 3 (not pressed) numbers;
 * for 4 (outgrown) reserved resources; for 5 (refused) cause u8.
 */
public final class MarkReplyCodec extends WireCodec<MarkReply> {
    private static final int MARKED = 1;
    private static final int UNMARKED = 2;
    private static final int NOT_PRESSED = 3;
    private static final int OUTGROWN = 4;
    private static final int REFUSED = 5;

    /** The codec. */
    public MarkReplyCodec() {
        super("ledger.mark-reply", 1);
    }

    @Override
    protected void write(MarkReply message, WireWriter out) {
        switch (message) {
            case MarkReply.Marked(var reserved) -> out.u8(MARKED).resources(reserved);
            case MarkReply.Unmarked(var reserved) -> out.u8(UNMARKED).resources(reserved);
            case MarkReply.NotPressed(var numbers) -> PressurePart.write(numbers, out.u8(NOT_PRESSED));
            case MarkReply.Outgrown(var reserved) -> out.u8(OUTGROWN).resources(reserved);
            case MarkReply.Refused(var cause) -> out.u8(REFUSED).constant(EnumNumbers.REFUSAL_CAUSE, cause);
        }
    }

    @Override
    protected MarkReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case MARKED -> new MarkReply.Marked(in.resources());
            case UNMARKED -> new MarkReply.Unmarked(in.resources());
            case NOT_PRESSED -> new MarkReply.NotPressed(PressurePart.read(in));
            case OUTGROWN -> new MarkReply.Outgrown(in.resources());
            case REFUSED -> new MarkReply.Refused(in.constant(EnumNumbers.REFUSAL_CAUSE));
            default -> throw in.unknownTag(tag);
        };
    }
}
