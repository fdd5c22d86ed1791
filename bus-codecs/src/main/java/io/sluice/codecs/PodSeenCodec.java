package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.PodSeen;

/**
 * v1: uid, namespace, name, node, vmName texts, version i64, amounts resources, createdAtSeconds i64. v2: migration
 * text.
 */
public final class PodSeenCodec extends WireCodec<PodSeen> {
    /** The codec. */
    public PodSeenCodec() {
        super("cluster.pod-seen", 2);
    }

    @Override
    protected void write(PodSeen message, WireWriter out) {
        out.text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.node())
                .text(message.vmName())
                .i64(message.version())
                .resources(message.amounts())
                .i64(message.createdAtSeconds())
                .text(message.migration());
    }

    @Override
    protected PodSeen read(int version, WireReader in) {
        return new PodSeen(
                in.text(), in.text(), in.text(), in.text(), in.text(), in.i64(), in.resources(), in.i64(), in.text());
    }
}
