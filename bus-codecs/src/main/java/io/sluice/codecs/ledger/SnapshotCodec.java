package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.Snapshot;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: nodes messages, each in its own version. */
public final class SnapshotCodec extends WireCodec<Snapshot> {
    private final NodeLedgerViewCodec ledger = new NodeLedgerViewCodec();

    /** The codec. */
    public SnapshotCodec() {
        super("ledger.snapshot", 1);
    }

    @Override
    protected void write(Snapshot message, WireWriter out) {
        out.list(message.nodes(), (to, node) -> to.message(ledger, node));
    }

    @Override
    protected Snapshot read(int version, WireReader in) {
        return new Snapshot(in.list(from -> from.message(ledger)));
    }
}
