package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v2: node, pod, runner texts, session, seq i64, computeUnit, target resources, lastPermit resources?, load1 f32?,
 * inUse and exposure resources?.
 */
public final class PermitRequestCodec extends WireCodec<PermitRequest> {
    /** The codec. */
    public PermitRequestCodec() {
        super("ledger.permit-request", 2);
    }

    @Override
    protected void write(PermitRequest message, WireWriter out) {
        out.text(message.node())
                .text(message.pod())
                .text(message.runner())
                .i64(message.session())
                .i64(message.seq())
                .resources(message.computeUnit())
                .resources(message.target())
                .optional(message.lastPermit(), WireWriter::resources)
                .optional(message.load1(), WireWriter::f32)
                .optional(message.use(), (to, use) -> to.resources(use.inUse()).resources(use.exposure()));
    }

    @Override
    protected PermitRequest read(int version, WireReader in) {
        return new PermitRequest(
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.i64(),
                in.resources(),
                in.resources(),
                in.optional(WireReader::resources),
                in.optional(WireReader::f32),
                in.optional(from -> new ReportedUse(from.resources(), from.resources())));
    }
}
