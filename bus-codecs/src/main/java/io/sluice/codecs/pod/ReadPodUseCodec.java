package io.sluice.codecs.pod;

import io.sluice.messages.pod.ReadPodUse;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, node text, after i64. */
public final class ReadPodUseCodec extends WireCodec<ReadPodUse> {
    /** The codec. */
    public ReadPodUseCodec() {
        super("pod.read-pod-use", 1);
    }

    @Override
    protected void write(ReadPodUse message, WireWriter out) {
        out.vm(message.vm()).text(message.node()).i64(message.after());
    }

    @Override
    protected ReadPodUse read(int version, WireReader in) {
        return new ReadPodUse(in.vm(), in.text(), in.i64());
    }
}
