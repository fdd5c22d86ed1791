package io.sluice.codecs.placement;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: kind u8, uid, namespace, name, node, reason texts. */
public final class PlacementDecisionCodec extends WireCodec<PlacementDecision> {
    /** The codec. */
    public PlacementDecisionCodec() {
        super("placement.placement-decision", 2);
    }

    @Override
    protected void write(PlacementDecision message, WireWriter out) {
        out.constant(EnumNumbers.PLACEMENT_KIND, message.kind())
                .text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.node())
                .text(message.reason());
    }

    @Override
    protected PlacementDecision read(int version, WireReader in) {
        return new PlacementDecision(
                in.constant(EnumNumbers.PLACEMENT_KIND), in.text(), in.text(), in.text(), in.text(), in.text());
    }
}
