package io.sluice.codecs.cluster;

import io.sluice.codecs.DeviceParts;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: uid, namespace, name, node, vmName texts, version i64, amounts resources, createdAtSeconds i64. v2: migration
 * text. v3: priority i32, fixed amounts. v4: GPUs.
 */
public final class PodObservedCodec extends WireCodec<PodObserved> {
    /** The codec. */
    public PodObservedCodec() {
        super("cluster.pod-observed", 4);
    }

    @Override
    protected void write(PodObserved message, WireWriter out) {
        out.text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.node())
                .text(message.vmName())
                .i64(message.version())
                .resources(message.amounts())
                .i64(message.createdAtSeconds())
                .text(message.migration())
                .i32(message.priority())
                .fixedAmounts(message.fixed());
        DeviceParts.write(message.gpus(), out);
    }

    @Override
    protected PodObserved read(int version, WireReader in) {
        return new PodObserved(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.resources(),
                in.i64(),
                in.text(),
                in.i32(),
                in.fixedAmounts(),
                DeviceParts.demand(in));
    }
}
