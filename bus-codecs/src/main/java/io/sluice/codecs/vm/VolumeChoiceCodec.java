package io.sluice.codecs.vm;

import io.sluice.messages.vm.VolumeChoice;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: refusal text. */
public final class VolumeChoiceCodec extends WireCodec<VolumeChoice> {
    /** The codec. */
    public VolumeChoiceCodec() {
        super("vm.volume-choice", 1);
    }

    @Override
    protected void write(VolumeChoice message, WireWriter out) {
        out.text(message.refusal());
    }

    @Override
    protected VolumeChoice read(int version, WireReader in) {
        return new VolumeChoice(in.text());
    }
}
