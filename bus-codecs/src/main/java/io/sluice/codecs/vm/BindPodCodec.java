package io.sluice.codecs.vm;

import io.sluice.codecs.DeviceParts;
import io.sluice.messages.vm.BindPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name, node texts, version i64. v2: GPUs. v3: zones. */
public final class BindPodCodec extends WireCodec<BindPod> {
    /** The codec. */
    public BindPodCodec() {
        super("vm.bind-pod", 3);
    }

    @Override
    protected void write(BindPod message, WireWriter out) {
        out.text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.node())
                .i64(message.version());
        DeviceParts.write(message.gpus(), out);
    }

    @Override
    protected BindPod read(int version, WireReader in) {
        return new BindPod(in.text(), in.text(), in.text(), in.text(), in.i64(), DeviceParts.grant(in));
    }
}
