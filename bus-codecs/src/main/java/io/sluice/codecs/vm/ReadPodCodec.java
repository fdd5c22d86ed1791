package io.sluice.codecs.vm;

import io.sluice.messages.vm.ReadPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name texts. */
public final class ReadPodCodec extends WireCodec<ReadPod> {
    /** The codec. */
    public ReadPodCodec() {
        super("vm.read-pod", 1);
    }

    @Override
    protected void write(ReadPod message, WireWriter out) {
        out.text(message.uid()).text(message.namespace()).text(message.name());
    }

    @Override
    protected ReadPod read(int version, WireReader in) {
        return new ReadPod(in.text(), in.text(), in.text());
    }
}
