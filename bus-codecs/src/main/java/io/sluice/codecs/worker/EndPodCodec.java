package io.sluice.codecs.worker;

import io.sluice.messages.worker.EndPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace, name, uid texts; graceSeconds i32. */
public final class EndPodCodec extends WireCodec<EndPod> {
    /** The codec. */
    public EndPodCodec() {
        super("worker.end-pod", 1);
    }

    @Override
    protected void write(EndPod message, WireWriter out) {
        out.text(message.namespace()).text(message.name()).text(message.uid()).i32(message.graceSeconds());
    }

    @Override
    protected EndPod read(int version, WireReader in) {
        return new EndPod(in.text(), in.text(), in.text(), in.i32());
    }
}
