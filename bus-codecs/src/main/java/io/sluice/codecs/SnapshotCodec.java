package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.Snapshot;

/** v1: nodes messages, each in its own version. */
public final class SnapshotCodec extends WireCodec<Snapshot> {
    private final NodeLedgerViewCodec books = new NodeLedgerViewCodec();

    /** The codec. */
    public SnapshotCodec() {
        super("ledger.snapshot", 1);
    }

    @Override
    protected void write(Snapshot message, WireWriter out) {
        out.list(message.nodes(), (to, node) -> to.message(books, node));
    }

    @Override
    protected Snapshot read(int version, WireReader in) {
        return new Snapshot(in.list(from -> from.message(books)));
    }
}
