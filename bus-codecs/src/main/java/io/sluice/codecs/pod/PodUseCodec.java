package io.sluice.codecs.pod;

import io.sluice.messages.pod.PodUse;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8 (1 sampled, 2 unknown); sampled: at i64, load, load5 and working set f64; unknown: reason text. v2: tag 3
 * unchanged.
 */
public final class PodUseCodec extends WireCodec<PodUse> {
    private static final int SAMPLED = 1;
    private static final int UNKNOWN = 2;
    private static final int UNCHANGED = 3;

    /** The codec. */
    public PodUseCodec() {
        super("pod.pod-use", 1, 2);
    }

    @Override
    protected void write(PodUse message, WireWriter out) {
        switch (message) {
            case PodUse.Sampled(var at, var load, var load5, var workingSet) ->
                out.u8(SAMPLED).i64(at).f64(load).f64(load5).f64(workingSet);
            case PodUse.Unknown(var reason) -> out.u8(UNKNOWN).text(reason);
            case PodUse.Unchanged _ -> out.u8(UNCHANGED);
        }
    }

    @Override
    protected PodUse read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case SAMPLED -> new PodUse.Sampled(in.i64(), in.f64(), in.f64(), in.f64());
            case UNKNOWN -> new PodUse.Unknown(in.text());
            case UNCHANGED -> new PodUse.Unchanged();
            default -> throw in.unknownTag(tag);
        };
    }
}
