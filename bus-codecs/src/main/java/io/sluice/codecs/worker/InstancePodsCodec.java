package io.sluice.codecs.worker;

import io.sluice.codecs.EnumNumbers;
import io.sluice.codecs.LongTextPart;
import io.sluice.messages.worker.InstancePods;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: pods, each name, uid, node, instance texts, generation i64, phase, reason long text, exitCode i32; failure text.
 */
public final class InstancePodsCodec extends WireCodec<InstancePods> {
    /** The codec. */
    public InstancePodsCodec() {
        super("worker.instance-pods", 1);
    }

    @Override
    protected void write(InstancePods message, WireWriter out) {
        out.list(message.pods(), InstancePodsCodec::write).text(message.failure());
    }

    private static void write(WireWriter out, InstancePods.Pod pod) {
        out.text(pod.name())
                .text(pod.uid())
                .text(pod.node())
                .text(pod.instance())
                .i64(pod.generation())
                .constant(EnumNumbers.POD_PHASE, pod.phase());
        LongTextPart.write(out, pod.reason());
        out.i32(pod.exitCode());
    }

    @Override
    protected InstancePods read(int version, WireReader in) {
        return new InstancePods(in.list(InstancePodsCodec::pod), in.text());
    }

    private static InstancePods.Pod pod(WireReader in) {
        return new InstancePods.Pod(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.constant(EnumNumbers.POD_PHASE),
                LongTextPart.read(in),
                in.i32());
    }
}
