package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace, name, uid, vmName texts, version i64. */
public final class MigrationGoneCodec extends WireCodec<MigrationGone> {
    /** The codec. */
    public MigrationGoneCodec() {
        super("cluster.migration-gone", 1);
    }

    @Override
    protected void write(MigrationGone message, WireWriter out) {
        out.text(message.namespace())
                .text(message.name())
                .text(message.uid())
                .text(message.vmName())
                .i64(message.version());
    }

    @Override
    protected MigrationGone read(int version, WireReader in) {
        return new MigrationGone(in.text(), in.text(), in.text(), in.text(), in.i64());
    }
}
