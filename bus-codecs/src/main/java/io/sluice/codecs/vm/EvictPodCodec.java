package io.sluice.codecs.vm;

import io.sluice.messages.vm.EvictPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name, node texts; uid, namespace, name texts of the preemptor; scheduler text. */
public final class EvictPodCodec extends WireCodec<EvictPod> {
    /** The codec. */
    public EvictPodCodec() {
        super("vm.evict-pod", 1);
    }

    @Override
    protected void write(EvictPod message, WireWriter out) {
        var preemptor = message.preemptor();
        out.text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.node())
                .text(preemptor.uid())
                .text(preemptor.namespace())
                .text(preemptor.name())
                .text(message.scheduler());
    }

    @Override
    protected EvictPod read(int version, WireReader in) {
        return new EvictPod(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                new EvictPod.Preemptor(in.text(), in.text(), in.text()),
                in.text());
    }
}
