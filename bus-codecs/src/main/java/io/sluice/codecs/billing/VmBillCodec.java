package io.sluice.codecs.billing;

import io.sluice.messages.billing.VmBill;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8 (1 billed, 2 unknown); billed: since instant, hours, each: startSeconds, computeSeconds, activeSeconds,
 * restartMs, watchMs i64; unknown: vmsMax i32.
 */
public final class VmBillCodec extends WireCodec<VmBill> {
    private static final int BILLED = 1;
    private static final int UNKNOWN = 2;

    /** The codec. */
    public VmBillCodec() {
        super("billing.vm-bill", 1);
    }

    @Override
    protected void write(VmBill message, WireWriter out) {
        switch (message) {
            case VmBill.Billed(var since, var hours) ->
                out.u8(BILLED).instant(since).list(hours, VmBillCodec::write);
            case VmBill.Unknown(var vmsMax) -> out.u8(UNKNOWN).i32(vmsMax);
        }
    }

    private static void write(WireWriter out, VmBill.Hour hour) {
        out.i64(hour.startSeconds())
                .i64(hour.computeSeconds())
                .i64(hour.activeSeconds())
                .i64(hour.restartMs())
                .i64(hour.watchMs());
    }

    @Override
    protected VmBill read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case BILLED -> new VmBill.Billed(in.instant(), in.list(VmBillCodec::hour));
            case UNKNOWN -> new VmBill.Unknown(in.i32());
            default -> throw in.unknownTag(tag);
        };
    }

    private static VmBill.Hour hour(WireReader in) {
        return new VmBill.Hour(in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
    }
}
