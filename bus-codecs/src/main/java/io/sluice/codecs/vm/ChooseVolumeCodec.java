package io.sluice.codecs.vm;

import io.sluice.messages.vm.ChooseVolume;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace, claim, uid, node, volume texts, version i64. */
public final class ChooseVolumeCodec extends WireCodec<ChooseVolume> {
    /** The codec. */
    public ChooseVolumeCodec() {
        super("vm.choose-volume", 1);
    }

    @Override
    protected void write(ChooseVolume message, WireWriter out) {
        out.text(message.namespace())
                .text(message.claim())
                .text(message.uid())
                .text(message.node())
                .text(message.volume())
                .i64(message.version());
    }

    @Override
    protected ChooseVolume read(int version, WireReader in) {
        return new ChooseVolume(in.text(), in.text(), in.text(), in.text(), in.text(), in.i64());
    }
}
