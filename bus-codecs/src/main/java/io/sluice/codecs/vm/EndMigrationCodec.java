package io.sluice.codecs.vm;

import io.sluice.messages.vm.EndMigration;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: driver, namespace, name, uid texts. */
public final class EndMigrationCodec extends WireCodec<EndMigration> {
    /** The codec. */
    public EndMigrationCodec() {
        super("vm.end-migration", 1);
    }

    @Override
    protected void write(EndMigration message, WireWriter out) {
        out.text(message.driver())
                .text(message.namespace())
                .text(message.name())
                .text(message.uid());
    }

    @Override
    protected EndMigration read(int version, WireReader in) {
        return new EndMigration(in.text(), in.text(), in.text(), in.text());
    }
}
