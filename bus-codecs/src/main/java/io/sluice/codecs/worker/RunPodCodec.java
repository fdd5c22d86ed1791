package io.sluice.codecs.worker;

import io.sluice.codecs.LongTextPart;
import io.sluice.messages.worker.RunPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace, name texts; object long text. */
public final class RunPodCodec extends WireCodec<RunPod> {
    /** The codec. */
    public RunPodCodec() {
        super("worker.run-pod", 1);
    }

    @Override
    protected void write(RunPod message, WireWriter out) {
        out.text(message.namespace()).text(message.name());
        LongTextPart.write(out, message.object());
    }

    @Override
    protected RunPod read(int version, WireReader in) {
        return new RunPod(in.text(), in.text(), LongTextPart.read(in));
    }
}
