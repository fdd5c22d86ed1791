package io.sluice.codecs.placement;

import io.sluice.messages.placement.PlacePod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name, node texts. */
public final class PlacePodCodec extends WireCodec<PlacePod> {
    /** The codec. */
    public PlacePodCodec() {
        super("placement.place-pod", 1);
    }

    @Override
    protected void write(PlacePod message, WireWriter out) {
        out.text(message.uid()).text(message.namespace()).text(message.name()).text(message.node());
    }

    @Override
    protected PlacePod read(int version, WireReader in) {
        return new PlacePod(in.text(), in.text(), in.text(), in.text());
    }
}
