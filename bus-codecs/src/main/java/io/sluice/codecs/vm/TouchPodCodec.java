package io.sluice.codecs.vm;

import io.sluice.messages.vm.TouchPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name texts. */
public final class TouchPodCodec extends WireCodec<TouchPod> {
    /** The codec. */
    public TouchPodCodec() {
        super("vm.touch-pod", 1);
    }

    @Override
    protected void write(TouchPod message, WireWriter out) {
        out.text(message.uid()).text(message.namespace()).text(message.name());
    }

    @Override
    protected TouchPod read(int version, WireReader in) {
        return new TouchPod(in.text(), in.text(), in.text());
    }
}
