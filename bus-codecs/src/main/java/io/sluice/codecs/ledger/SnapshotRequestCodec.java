package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: node text. */
public final class SnapshotRequestCodec extends WireCodec<SnapshotRequest> {
    /** The codec. */
    public SnapshotRequestCodec() {
        super("ledger.snapshot-request", 1);
    }

    @Override
    protected void write(SnapshotRequest message, WireWriter out) {
        out.text(message.node());
    }

    @Override
    protected SnapshotRequest read(int version, WireReader in) {
        return new SnapshotRequest(in.text());
    }
}
