package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.MigrationGone;

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
