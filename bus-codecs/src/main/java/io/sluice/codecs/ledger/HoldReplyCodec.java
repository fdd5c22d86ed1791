package io.sluice.codecs.ledger;

import io.sluice.codecs.DeviceParts;
import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (held) remaining duration; for 2 (bound) nothing; for 3 (released) nothing; for 4 (no such
 * hold) nothing; for 5 (no room) shortBy, reserved, total resources; for 6 (not ready) cause u8; for 7 (gone) nothing;
 * for 8 (overflow) nothing; for 9 (node not ready) nothing; for 10 (attempt over) nothing; for 11 (of another) attempt
 * text. v2: fixed amounts after what 5 has. v3: GPUs after what 1 has; 12 (no device) cause u8, detail text. v4: 13
 * (room kept) pod text; zones after GPUs. v5: 14 (state replaced) instant.
 */
public final class HoldReplyCodec extends WireCodec<HoldReply> {
    private static final int HELD = 1;
    private static final int BOUND = 2;
    private static final int RELEASED = 3;
    private static final int NO_SUCH_HOLD = 4;
    private static final int NO_ROOM = 5;
    private static final int NOT_READY = 6;
    private static final int GONE = 7;
    private static final int OVERFLOW = 8;
    private static final int NODE_NOT_READY = 9;
    private static final int ATTEMPT_OVER = 10;
    private static final int OF_ANOTHER = 11;
    private static final int NO_DEVICE = 12;
    private static final int ROOM_KEPT = 13;
    private static final int STATE_REPLACED = 14;

    /** The codec. */
    public HoldReplyCodec() {
        super("ledger.hold-reply", 4, 5);
    }

    @Override
    protected void write(HoldReply message, WireWriter out) {
        switch (message) {
            case HoldReply.Held(var remaining, var gpus) ->
                DeviceParts.write(gpus, out.u8(HELD).duration(remaining));
            case HoldReply.Bound() -> out.u8(BOUND);
            case HoldReply.Released() -> out.u8(RELEASED);
            case HoldReply.NoSuchHold() -> out.u8(NO_SUCH_HOLD);
            case HoldReply.NoRoom(var shortBy, var reserved, var total, var shortOf) ->
                out.u8(NO_ROOM)
                        .resources(shortBy)
                        .resources(reserved)
                        .resources(total)
                        .fixedAmounts(shortOf);
            case HoldReply.NoDevice(var misfit) -> DeviceParts.write(misfit, out.u8(NO_DEVICE));
            case HoldReply.RoomKept(var pod) -> out.u8(ROOM_KEPT).text(pod);
            case HoldReply.NotReady(var cause) -> out.u8(NOT_READY).constant(EnumNumbers.NOT_READY_CAUSE, cause);
            case HoldReply.StateReplaced(var completedAt) ->
                out.u8(STATE_REPLACED).instant(completedAt);
            case HoldReply.Gone() -> out.u8(GONE);
            case HoldReply.Overflow() -> out.u8(OVERFLOW);
            case HoldReply.NodeNotReady() -> out.u8(NODE_NOT_READY);
            case HoldReply.AttemptOver() -> out.u8(ATTEMPT_OVER);
            case HoldReply.OfAnother(var attempt) -> out.u8(OF_ANOTHER).text(attempt);
        }
    }

    @Override
    protected HoldReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case HELD -> new HoldReply.Held(in.duration(), DeviceParts.grant(in));
            case BOUND -> new HoldReply.Bound();
            case RELEASED -> new HoldReply.Released();
            case NO_SUCH_HOLD -> new HoldReply.NoSuchHold();
            case NO_ROOM -> new HoldReply.NoRoom(in.resources(), in.resources(), in.resources(), in.fixedAmounts());
            case NO_DEVICE -> new HoldReply.NoDevice(DeviceParts.misfit(in));
            case ROOM_KEPT -> new HoldReply.RoomKept(in.text());
            case NOT_READY -> new HoldReply.NotReady(in.constant(EnumNumbers.NOT_READY_CAUSE));
            case STATE_REPLACED -> new HoldReply.StateReplaced(in.instant());
            case GONE -> new HoldReply.Gone();
            case OVERFLOW -> new HoldReply.Overflow();
            case NODE_NOT_READY -> new HoldReply.NodeNotReady();
            case ATTEMPT_OVER -> new HoldReply.AttemptOver();
            case OF_ANOTHER -> new HoldReply.OfAnother(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
