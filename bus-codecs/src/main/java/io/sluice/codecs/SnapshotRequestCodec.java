package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.SnapshotRequest;

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
