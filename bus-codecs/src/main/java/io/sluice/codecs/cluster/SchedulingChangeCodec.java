package io.sluice.codecs.cluster;

import io.sluice.codecs.EnumNumbers;
import io.sluice.codecs.LongTextPart;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (observed) kind u8, key text, version i64, list i64, fields long text; for 2 (gone) kind u8,
 * key text, version i64; for 3 (list begun) list i64; for 4 (listed) list i64, objects i32.
 */
public final class SchedulingChangeCodec extends WireCodec<SchedulingChange> {
    private static final int OBSERVED = 1;
    private static final int GONE = 2;
    private static final int LIST_BEGUN = 3;
    private static final int LISTED = 4;

    /** The codec. */
    public SchedulingChangeCodec() {
        super("cluster.scheduling-change", 1);
    }

    @Override
    protected void write(SchedulingChange message, WireWriter out) {
        switch (message) {
            case SchedulingChange.Observed(var kind, var key, var version, var list, var fields) -> {
                out.u8(OBSERVED)
                        .constant(EnumNumbers.SCHEDULING_KIND, kind)
                        .text(key)
                        .i64(version)
                        .i64(list);
                LongTextPart.write(out, fields);
            }
            case SchedulingChange.Gone(var kind, var key, var version) ->
                out.u8(GONE)
                        .constant(EnumNumbers.SCHEDULING_KIND, kind)
                        .text(key)
                        .i64(version);
            case SchedulingChange.ListBegun(var list) -> out.u8(LIST_BEGUN).i64(list);
            case SchedulingChange.Listed(var list, var objects) ->
                out.u8(LISTED).i64(list).i32(objects);
        }
    }

    @Override
    protected SchedulingChange read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case OBSERVED ->
                new SchedulingChange.Observed(
                        in.constant(EnumNumbers.SCHEDULING_KIND), in.text(), in.i64(), in.i64(), LongTextPart.read(in));
            case GONE -> new SchedulingChange.Gone(in.constant(EnumNumbers.SCHEDULING_KIND), in.text(), in.i64());
            case LIST_BEGUN -> new SchedulingChange.ListBegun(in.i64());
            case LISTED -> new SchedulingChange.Listed(in.i64(), in.i32());
            default -> throw in.unknownTag(tag);
        };
    }
}
