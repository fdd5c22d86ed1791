package io.sluice.codecs.pod;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.pod.PodSampled;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: vm, cause u8, two moments; a moment: at i64, list of containers; a container: name text, CPU time, working set,
 * stalled time, periods and throttled periods i64.
 */
public final class PodSampledCodec extends WireCodec<PodSampled> {
    /** The codec. */
    public PodSampledCodec() {
        super("pod.pod-sampled", 1);
    }

    @Override
    protected void write(PodSampled message, WireWriter out) {
        out.vm(message.vm()).constant(EnumNumbers.POD_SAMPLE_CAUSE, message.cause());
        moment(out, message.first());
        moment(out, message.last());
    }

    private static void moment(WireWriter out, PodSampled.Moment moment) {
        out.i64(moment.at())
                .list(
                        moment.containers(),
                        (to, container) -> to.text(container.name())
                                .i64(container.cpuMicros())
                                .i64(container.workingSetBytes())
                                .i64(container.stalledMicros())
                                .i64(container.periods())
                                .i64(container.throttled()));
    }

    @Override
    protected PodSampled read(int version, WireReader in) {
        return new PodSampled(in.vm(), in.constant(EnumNumbers.POD_SAMPLE_CAUSE), moment(in), moment(in));
    }

    private static PodSampled.Moment moment(WireReader in) {
        return new PodSampled.Moment(
                in.i64(),
                in.list(from -> new PodSampled.Container(
                        from.text(), from.i64(), from.i64(), from.i64(), from.i64(), from.i64())));
    }
}
